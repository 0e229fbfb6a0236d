// Runs the extension in the folder of the first argument with stand-ins for what the editor gives it, and prints
// what it does. With a second argument the client for language servers is installed.
'use strict';

const Module = require('module');

const settings = { path: 'scxmlrun', 'lsp.arguments': ['--declare', 'beep'] };
const registered = {};
class DebugAdapterExecutable {
  constructor(command, args) { console.log('debugger:', command, ...args); }
}
const vscode = {
  DebugAdapterExecutable,
  workspace: { getConfiguration: (name) => ({ get: (key) => { if (!(key in settings) || name !== 'scxmlrun') throw new Error(key); return settings[key]; } }) },
  window: { showErrorMessage: (text) => console.log('error:', text) },
  commands: {
    registerCommand: (name, run) => { registered[name] = run; },
    executeCommand: (name, ...args) => console.log('command:', name, JSON.stringify(args)),
  },
  debug: {
    registerDebugAdapterDescriptorFactory: (type, factory) => factory.createDebugAdapterDescriptor({}),
    registerDebugConfigurationProvider: () => {},
  },
};
class LanguageClient {
  constructor(id, name, server, client) { console.log('server:', server.command, ...server.args); console.log('files:', client.documentSelector[0].language); this.options = client.initializationOptions; }
  get protocol2CodeConverter() { return { asUri: (x) => x, asPosition: (x) => x, asLocation: (x) => x }; }
  start() { console.log('start:', JSON.stringify(this.options)); }
  stop() { console.log('stop'); }
}
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') {
    if (process.argv.length > 3) return { LanguageClient };
    throw new Error(`Cannot find module '${name}'\nRequire stack:`);
  }
  return load(name, ...rest);
};

const extension = require(process.argv[2]);
extension.activate({ extensionPath: 'HERE', subscriptions: [] }).then(() => {
  for (const [name, run] of Object.entries(registered)) run('file:///a.scxml', { line: 1, character: 2 }, []);
  return extension.deactivate();
});
