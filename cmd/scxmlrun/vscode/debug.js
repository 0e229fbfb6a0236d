'use strict';

const vscode = require('vscode');

// register makes "scxmlrun dap" the debugger of charts. It returns what ends that.
exports.register = scxmlrun => [
  vscode.debug.registerDebugAdapterDescriptorFactory('scxml', {
    createDebugAdapterDescriptor: session =>
      new vscode.DebugAdapterExecutable(scxmlrun(), ['dap'], { cwd: session.workspaceFolder?.uri.fsPath }),
  }),
  vscode.debug.registerDebugConfigurationProvider('scxml', {
    // F5 without a launch.json debugs the chart in the editor.
    resolveDebugConfiguration: (folder, config) => {
      if (config.type) {
        return config;
      }
      if (vscode.window.activeTextEditor?.document.languageId !== 'scxml') {
        return undefined;
      }
      return { type: 'scxml', request: 'launch', name: 'Debug this chart', program: '${file}', stopOnEntry: true };
    },
  }),
];
