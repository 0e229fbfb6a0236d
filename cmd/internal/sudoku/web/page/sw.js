// The service worker of the game, see offline.js. The reader of pictures is kept when it is used.

importScripts('build.js', 'program.js', 'offline.js');

self.offline('sudoku', './', file => !file.startsWith('playground/'), file => file === 'photo.wasm');
