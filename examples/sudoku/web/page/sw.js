// The service worker keeps a copy of the page, so that it works without a network after the first
// visit. The files of a version stay together: a new version is loaded completely before the page
// gets any of it, at the next visit.

importScripts('build.js');

const name = `sudoku-${self.build.version}`;
const later = file => file.startsWith('playground/') || file === 'photo.wasm'; // they are kept when they are used

self.addEventListener('install', event => event.waitUntil((async () => {
  const cache = await caches.open(name);
  const files = Object.keys(self.build.files).filter(file => !later(file) && file !== 'sw.js');
  await cache.addAll(['./', 'build.js', ...files].map(file => new Request(file, { cache: 'no-cache' })));
  await self.skipWaiting();
})()));

self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const other of await caches.keys()) if (other.startsWith('sudoku-') && other !== name) await caches.delete(other);
  await self.clients.claim();
})()));

self.addEventListener('fetch', event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(name);
    const found = await cache.match(request, { ignoreSearch: true });
    if (found) return found;
    const answer = await fetch(request);
    if (answer.ok && later(url.href.slice(self.registration.scope.length))) await cache.put(request, answer.clone());
    return answer;
  })());
});
