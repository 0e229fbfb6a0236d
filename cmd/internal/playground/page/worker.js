// The worker with the program: requests are messages to it, see command playground-web.

import { run } from '../wasm.js';

self.ready = () => postMessage({ kind: 'ready' });
self.answer = (id, status, text, end) => postMessage({ kind: 'answer', id, status, text, end });
self.failed = message => postMessage({ kind: 'failed', message });

self.addEventListener('message', ({ data }) => {
  if (data.kind === 'request') self.serve(data.id, data.method, data.path, data.body ?? '');
  else if (data.kind === 'leave') self.leave(data.id);
  else if (data.kind === 'ping') postMessage({ kind: 'alive' });
  else self.failed(`the page says what the engine does not know: ${data.kind}`);
});

run('playground.wasm', (done, size) => postMessage({ kind: 'loading', done, size }))
  .then(() => { throw new Error('the program has ended'); })
  .catch(error => postMessage({ kind: 'dead', message: error.message }));
