// The worker of the services: it makes puzzles, gives hints and solves. It gets the program from
// the worker of the game, which has compiled it already.

import { run } from './wasm.js';

self.serves = true;
let waiting = [];

self.tell = text => {
  const message = JSON.parse(text);
  if (message.type !== 'ready') return postMessage({ message });
  for (const one of waiting) self.hear(one, null);
  waiting = null;
};

onmessage = ({ data: { program, message } }) => {
  if (program) run(program).catch(error => postMessage({ message: { type: 'failed', error: String(error?.message ?? error) } }));
  else if (waiting) waiting.push(JSON.stringify(message));
  else self.hear(JSON.stringify(message), null);
};
