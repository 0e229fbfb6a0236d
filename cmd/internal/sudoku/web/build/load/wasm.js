// Loads and runs the programs, in workers: `import { run } from './wasm.js'`.

import './build.js';
import './program.js';
import './wasm_exec.js';

// compile loads a program and compiles it. tell gets the bytes that have arrived, and how many there
// will be. It fails if the program cannot be loaded. Another worker can be given the module.
export async function compile(name, tell = () => {}) {
  const url = new URL(name, self.location);
  try {
    return await WebAssembly.compileStreaming(open(url, 'no-cache', tell));
  } catch { // a browser's cache can fail, for example when two pages fill it at once
    return WebAssembly.compileStreaming(open(url, 'no-store', tell));
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

// open returns the answer with the program, which tells of its progress. If it is one of a server or a
// cache and not made here, browsers keep the compiled code with it, and the next visit begins sooner.
async function open(url, cache, tell) {
  const { size } = self.build.files[url.pathname.slice(new URL('.', import.meta.url).pathname.length)];
  const { answer, packed } = await self.fetchProgram(url, size, cache);
  const program = packed ? self.unpackProgram(answer) : answer;
  count(program.clone(), done => tell(done, size)).catch(() => {}); // the compiler finds it too
  return program;
}

async function count(answer, tell) {
  const reader = answer.body.getReader();
  let done = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) tell(done += part.value.byteLength);
}
