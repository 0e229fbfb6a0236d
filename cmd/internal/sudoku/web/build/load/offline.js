// Keeps the files of a page, so that it works without a network after the first visit. The service worker
// of a page imports build.js and program.js before.
//
// A file is kept under its name and its hash. So the files of two versions never mix: a service worker
// gives a page what its own build.js lists, and nothing else. A new version loads only what has changed.
// It waits until the pages of the old one are closed, or the only one begins anew and says so, see
// update.js.

// offline keeps the files for which mine is true in a cache: at once, or when they are used, if later is
// true for them. root leads to the folder of build.js.
self.offline = (name, root, mine, later = () => false) => {
  const at = new URL(root, self.location);
  const files = Object.keys(self.build.files).filter(mine);
  const key = file => new URL(`${file}?${self.build.files[file].hash}`, at);
  const packed = 'application/gzip'; // the type of programs that are kept packed

  // keep gets a file from the server. It fails if it is not that of this version.
  async function keep(file) {
    const url = new URL(file.replace(/(^|\/)index\.html$/, '$1'), at), { size, hash } = self.build.files[file];
    const cache = await caches.open(name);
    if (await cache.match(key(file))) return;
    let answer;
    if (file.endsWith('.wasm')) {
      const program = await self.fetchProgram(url, size, 'no-cache');
      answer = program.packed ? new Response(program.answer.body, { headers: { 'Content-Type': packed } }) : program.answer;
    } else {
      answer = await fetch(url, { cache: 'no-cache' });
      if (!answer.ok) throw new Error(`cannot load ${url}: ${answer.status} ${answer.statusText}`);
      if (answer.redirected) answer = new Response(answer.body, answer); // browsers refuse others for a page
    }
    const copy = answer.clone();
    const bytes = await (isPacked(copy) ? self.unpackProgram(copy) : copy).arrayBuffer();
    const digest = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), byte => byte.toString(16).padStart(2, '0')).join('');
    if (!digest.startsWith(hash)) throw new Error(`cannot load ${url}: it is of another version`);
    await cache.put(key(file), answer);
  }

  const isPacked = answer => answer.headers.get('Content-Type') === packed;

  async function answer(file) {
    if (file === 'build.js') return new Response(`self.build = ${JSON.stringify(self.build)};`, { headers: { 'Content-Type': 'text/javascript' } });
    const cache = await caches.open(name);
    let found = await cache.match(key(file));
    if (!found) { // it is kept when it is used, or the browser has thrown it away
      try {
        await keep(file);
        found = await cache.match(key(file));
      } catch (error) {
        return new Response(error.message, { status: 503, statusText: 'not kept' });
      }
    }
    return isPacked(found) ? self.unpackProgram(found) : found;
  }

  // named returns the file of this page that an address names; undefined if it is another one.
  function named(address) {
    const url = new URL(address);
    const file = url.href.startsWith(at.href) ? url.pathname.slice(at.pathname.length).replace(/(^|\/)$/, '$1index.html') : '';
    return file === 'build.js' ? file : files.find(one => one === file);
  }

  // forOwn answers the pages and workers of this page. A page below it has a version of its own.
  async function forOwn({ clientId, request }, file) {
    const client = clientId && await self.clients.get(clientId);
    return client && !named(client.url) ? fetch(request) : answer(file);
  }

  self.addEventListener('install', event => event.waitUntil(Promise.all(files.filter(file => !later(file)).map(keep))));

  self.addEventListener('activate', event => event.waitUntil((async () => {
    const cache = await caches.open(name), all = new Set(files.map(file => key(file).href));
    for (const request of await cache.keys()) if (!all.has(request.url)) await cache.delete(request);
    await self.clients.claim();
  })()));

  self.addEventListener('fetch', event => {
    const file = event.request.method === 'GET' && named(event.request.url);
    if (file) event.respondWith(forOwn(event, file));
  });

  self.addEventListener('message', event => event.waitUntil((async () => {
    const pages = (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(page => page.frameType !== 'nested' && named(page.url));
    if (pages.length === 1 && pages[0].id === event.source.id) await self.skipWaiting(); // the only one asks
    else event.ports[0].postMessage('no');
  })()));
};
