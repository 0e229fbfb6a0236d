// The service worker of the playground, see offline.js.

importScripts('../build.js', '../program.js', '../offline.js');

const shared = ['program.js', 'update.js', 'wasm.js', 'wasm_exec.js'];

self.offline('playground', '../', file => file.startsWith('playground/') || shared.includes(file));
