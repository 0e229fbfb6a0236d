// self.fetchProgram fetches a program that has size bytes, in the form that is smaller on its way. It
// returns the answer, and whether its body is packed by gzip. It fails if there is none.
//
// This is not a module, so that service workers can load it too.
self.fetchProgram = async (url, size, cache) => {
  const get = (url, signal) => fetch(url, { signal, cache }).catch(() => ({ ok: false, status: 0, statusText: 'no connection' }));
  const whole = new AbortController();
  const answer = await get(url, whole.signal);
  // A server that sends it as it is probably has the compressed file too, which is a quarter of the size.
  if (answer.ok && answer.headers.get('Content-Length') !== String(size)) return { answer, packed: false };
  const zipped = await get(`${url}.gz`);
  if (zipped.ok && !zipped.headers.get('Content-Type')?.startsWith('text/html')) {
    whole.abort();
    // Some servers send such a file as the encoding of another one. The browser has unpacked it then.
    return { answer: zipped, packed: !zipped.headers.has('Content-Encoding') };
  }
  if (!answer.ok) throw new Error(`cannot load ${url}: ${answer.status} ${answer.statusText}`);
  return { answer, packed: false };
};

// self.unpackProgram returns the answer with what is packed in another one.
self.unpackProgram = answer => new Response(answer.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } });
