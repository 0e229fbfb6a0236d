// The debugger, "scxmlrun dap".
'use strict';

const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('scxml', {
      createDebugAdapterDescriptor: (session) => new vscode.DebugAdapterExecutable(
        vscode.workspace.getConfiguration('scxmlrun').get('path'), ['dap'], { cwd: session.workspaceFolder?.uri.fsPath },
      ),
    }),
    vscode.debug.registerDebugConfigurationProvider('scxml', {
      // F5 without a launch.json debugs the chart in the editor.
      resolveDebugConfiguration: (folder, config) => {
        if (config.type) return config;
        if (vscode.window.activeTextEditor?.document.languageId !== 'scxml') return undefined;
        return { type: 'scxml', request: 'launch', name: 'Debug this chart', program: '${file}', stopOnEntry: true };
      },
    }),
  );
};
