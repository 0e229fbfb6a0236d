// Loads and runs the programs, in workers: `import { run } from './wasm.js'`.

import './build.js';
import './wasm_exec.js';

// compile loads a program and compiles it. tell gets the bytes that have arrived, and how many there
// will be. It fails if the program cannot be loaded. Another worker can be given the module.
export async function compile(name, tell = () => {}) {
  try {
    return await WebAssembly.compileStreaming(load(name, tell, 'no-cache'));
  } catch { // a browser's cache can fail, for example when two pages fill it at once
    return WebAssembly.compileStreaming(load(name, tell, 'no-store'));
  }
}

// run runs a program, a name or what compile has returned, until it ends. It fails as compile does, or if
// the program ends with an error.
export async function run(program, tell) {
  const module = program instanceof WebAssembly.Module ? program : await compile(program, tell);
  const go = new Go();
  let status = 0;
  go.exit = code => { status = code; };
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  if (status !== 0) throw new Error(`the program ended with status ${status}`);
}

// load returns the answer with the program, which tells of its progress.
async function load(name, tell, cache) {
  const url = new URL(name, self.location);
  const { size } = self.build.files[url.pathname.slice(new URL('.', import.meta.url).pathname.length)];
  let done = 0;
  const counted = (await open(url, cache)).pipeThrough(new TransformStream({
    transform(chunk, out) {
      done += chunk.byteLength;
      tell(done, size);
      out.enqueue(chunk);
    },
  }));
  return new Response(counted, { headers: { 'Content-Type': 'application/wasm' } });
}

// open fetches a program. A server that sends it as it is probably has the compressed file too, which
// is a quarter of the size.
async function open(url, cache) {
  const whole = new AbortController();
  const get = (url, signal) => fetch(url, { signal, cache }).catch(() => ({ ok: false, status: 0, statusText: 'no connection' }));
  const answer = await get(url, whole.signal);
  if (answer.ok && answer.headers.has('Content-Encoding')) return answer.body;
  const zipped = await get(`${url}.gz`);
  if (!zipped.ok || zipped.headers.get('Content-Type')?.startsWith('text/html')) {
    if (!answer.ok) throw new Error(`cannot load ${url}: ${answer.status} ${answer.statusText}`);
    return answer.body;
  }
  whole.abort();
  // Some servers send such a file as the encoding of another one. The browser has unpacked it then.
  return zipped.headers.has('Content-Encoding') ? zipped.body : zipped.body.pipeThrough(new DecompressionStream('gzip'));
}
