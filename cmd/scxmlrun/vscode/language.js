// The language server, "scxmlrun lsp".
'use strict';

const vscode = require('vscode');

let client;

exports.activate = async (context) => {
  let languageclient;
  try {
    languageclient = require('vscode-languageclient/node');
  } catch (err) {
    vscode.window.showErrorMessage(`SCXML: run "npm install" in ${context.extensionPath}, and reload the window (${err.message.split('\n')[0]})`);
    return;
  }
  const settings = vscode.workspace.getConfiguration('scxmlrun');
  const command = settings.get('path');
  client = new languageclient.LanguageClient(
    'scxmlrun',
    'SCXML',
    { command, args: ['lsp', ...settings.get('lsp.arguments')] },
    { documentSelector: [{ language: 'scxml' }], initializationOptions: { commands: ['scxmlrun.showPlaces', 'editor.action.triggerSuggest'] } },
  );
  context.subscriptions.push(vscode.commands.registerCommand('scxmlrun.showPlaces', (uri, position, locations) => {
    const convert = client.protocol2CodeConverter;
    return vscode.commands.executeCommand('editor.action.showReferences', convert.asUri(uri), convert.asPosition(position), locations.map((l) => convert.asLocation(l)));
  }));
  try {
    await client.start();
  } catch (err) {
    vscode.window.showErrorMessage(`SCXML: cannot start "${command} lsp": ${err.message}. Install scxmlrun, or set scxmlrun.path.`);
  }
};

exports.deactivate = () => client?.stop();
