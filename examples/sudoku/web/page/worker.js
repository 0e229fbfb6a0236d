// The worker has the game, so that the page never waits for it: the engine is compiled to
// WebAssembly, and what it wants to be kept is in IndexedDB.

import { run } from './wasm.js';
import { keep, kept, lock } from './kept.js';

let start;

self.tell = (text, data) => {
  const message = JSON.parse(text);
  switch (message.type) {
    case 'ready':
      begin();
      break;
    case 'keep':
      keep(message.name, message.value).catch(error => say({ do: 'failed', error: String(error?.message ?? error) }));
      break;
    default:
      postMessage({ message, data }, data ? [data.buffer] : []);
  }
};

const say = (message, data = null) => self.hear(JSON.stringify(message), data);

// What the page says before the game can hear it waits.
let waiting = [];

onmessage = ({ data: { message, data } }) => {
  if (message.do === 'start') start.resolve(message);
  else if (waiting) waiting.push([message, data]);
  else say(message, data);
};

start = Promise.withResolvers();
const before = Promise.all([start.promise, kept(), lock()]);

async function begin() {
  const [first, values, locked] = await before;
  say({ ...first, kept: values, readonly: !locked });
  for (const [message, data] of waiting) say(message, data);
  waiting = null;
}

run('sudoku.wasm', (done, total) => postMessage({ message: { type: 'loading', done, total } })).then(
  () => postMessage({ message: { type: 'failed', error: 'the program has ended' } }),
  error => postMessage({ message: { type: 'failed', error: String(error?.message ?? error) } }),
);
