// The worker has the game, so that the page never waits for it: the engine is compiled to
// WebAssembly, and what it wants to be kept is in IndexedDB. Services run in a second worker with
// the same program, so that the game does not wait for them either.

import { keep, kept, lock } from './kept.js';
import { compile, run } from './wasm.js';

const start = Promise.withResolvers();
const found = kept().then(values => ({ kept: values }), error => ({ unread: String(error?.message ?? error) }));
const before = Promise.all([start.promise, found, lock()]);
let waiting = []; // what the page says before the game can hear it
let first; // plays until then, if it can
let keeping = Promise.resolve(); // what is being kept

const say = (message, data = null) => self.hear(JSON.stringify(message), data);

self.tell = (text, data) => {
  const message = JSON.parse(text);
  switch (message.type) {
    case 'ready':
      begin();
      break;
    case 'keep':
      keeping = Promise.all([keeping, keepOne(message)]);
      keeping.catch(() => {});
      break;
    case 'kept': // when it is; never after a failure
      keeping.then(() => postMessage({ message }), () => {});
      break;
    case 'serve':
      serve(message);
      break;
    case 'unserve':
      unserve(message.id);
      break;
    case 'picture':
      readPicture(data);
      break;
    case 'unpicture':
      reader?.terminate();
      break;
    default:
      postMessage({ message, data }, data ? [data.buffer] : []);
  }
};

function keepOne({ name, value, point }) {
  const one = keep(name, value, point);
  one.catch(error => say({ do: 'failed', error: String(error?.message ?? error) }));
  return one;
}

onmessage = ({ data: { message, data } }) => {
  if (message.do === 'start') start.resolve(message);
  else if (!waiting) hear(message, data);
  else if (!first || !message.no) waiting.push([message, data]);
  else if (first.hear(message)) {
    moves.push(message);
    postMessage({ message: first.view() });
  } else postMessage({ message: { type: 'dropped', no: message.no } });
};

function hear(message, data) {
  if (message.do === 'drawn') readDrawn(message);
  else say(message, data);
}

// What the page before has left, without what is kept, and what the player does until the program is there.
let left, moves;

async function prepare() {
  const [{ left: all }, { kept = {} }, locked] = await before;
  left = (kept.point?.heard ?? 0) > (all.heard ?? 0) ? kept.point : all;
  moves = locked ? all.moves.filter(({ no }) => no > (left.heard ?? 0)) : [];
  if (moves.length === 0) left = { heard: left.heard }; // the player begins where this page begins
  if (locked) postMessage({ message: { type: 'mine', left: { ...left, moves } } });
}
const prepared = prepare();

// playFirst plays the first puzzle, if the player has no other one.
async function playFirst() {
  await prepared;
  const [{ lang, puzzle }, { kept }, locked] = await before;
  if (!locked || puzzle || !kept || Object.keys(kept).length > 0) return;
  const file = `first/${lang.slice(0, 2)}.json`;
  const [{ First }, answer] = await Promise.all([import('./first.js'), fetch(self.build.files[file] ? file : 'first/en.json')]);
  const game = new First(await answer.json());
  if (!waiting || !game.begin(left, moves)) return; // the program is there, or has to do what is left
  first = game;
  postMessage({ message: first.whole() });
}

async function begin() {
  await prepared;
  const [begun, values, locked] = await before;
  say({ ...begun, ...values, readonly: !locked, left: { ...left, moves } });
  for (const [message, data] of waiting) if (message.do !== 'hidden') hear(message, data); // it may be seen again
  waiting = null;
}

// The services.

let program, server;
const serving = new Map(); // what is under way, by its id

function serve(message) {
  serving.set(message.id, message);
  if (server) return server.postMessage({ message });
  server = new Worker('serve.js', { type: 'module' });
  server.postMessage({ program });
  for (const one of serving.values()) server.postMessage({ message: one });
  server.onmessage = ({ data: { message } }) => {
    if (message.type === 'failed') return fail(message.error);
    if (message.do === 'served') serving.delete(message.id);
    say(message);
  };
  server.onerror = event => {
    event.preventDefault(); // it is not one of this worker
    fail(event.message ?? 'cannot start the services');
  };
}

// fail ends the worker of the services, and what it does.
function fail(error) {
  server.terminate();
  server = null;
  for (const id of serving.keys()) say({ do: 'served', id, error });
  serving.clear();
}

// A service does not hear while it computes. So its worker ends, and another one does what else is
// under way.
function unserve(id) {
  if (!serving.delete(id)) return;
  server.terminate();
  server = null;
  const rest = [...serving.values()];
  if (rest.length > 0) serve(rest[0]);
}

// readPicture reads a picture in a worker that ends with it.
let reader;

function readPicture(picture) {
  reader?.terminate();
  reader = new Worker('photo.js', { type: 'module' });
  reader.onmessage = ({ data }) => {
    reader.terminate();
    const sheets = data.sudokus?.map(({ picture }) => picture) ?? []; // the game needs none
    postMessage({ message: { type: 'sheets', sheets } });
    say({ do: 'read', ...data, sudokus: data.sudokus?.map(one => ({ ...one, picture: undefined })) });
  };
  reader.onerror = event => {
    event.preventDefault();
    say({ do: 'read', error: event.message ?? 'cannot start the reader of pictures' });
  };
  reader.postMessage(picture, [picture.buffer]);
}

// readDrawn reads a digit that was drawn into a cell, in a worker that remains for the next.
let drawn;

function readDrawn({ row, col, strokes }) {
  if (!drawn) {
    drawn = new Worker('photo.js', { type: 'module' });
    const done = (cell, digit = 0, error = '') => {
      postMessage({ message: { type: 'drawn' } });
      say({ do: 'cell', ...cell, how: 'drawn', digit, error });
    };
    drawn.onmessage = ({ data: { row, col, digit, error } }) => done({ row, col }, digit, error);
    drawn.onerror = event => {
      event.preventDefault();
      drawn = null;
      done({ row, col }, 0, event.message ?? 'cannot start the reader of digits');
    };
  }
  drawn.postMessage({ strokes, cell: { row, col } });
}

playFirst().catch(() => {}); // then the program is the first
try {
  program = await compile('sudoku.wasm', (done, total) => postMessage({ message: { type: 'loading', done, total } }));
  await run(program);
} catch (error) {
  postMessage({ message: { type: 'failed', error: String(error?.message ?? error) } });
}
