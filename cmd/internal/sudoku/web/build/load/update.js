const patience = 2000; // ms

// begin ends when the page may begin. If a new version waits, and no other page has the old one, the
// page is loaded again, with the new version. See offline.js.
export async function begin() {
  const { serviceWorker } = navigator;
  if (!serviceWorker?.controller) return;
  const waiting = (await serviceWorker.getRegistration())?.waiting;
  if (!waiting) return;
  serviceWorker.addEventListener('controllerchange', () => location.reload());
  const { port1, port2 } = new MessageChannel();
  await new Promise(done => {
    port1.onmessage = done; // it has refused
    setTimeout(done, patience);
    waiting.postMessage('next', [port2]);
  });
}

// keepOffline lets a service worker keep the page. Where it cannot, the page needs a network.
export function keepOffline() {
  navigator.serviceWorker?.register('sw.js', { updateViaCache: 'none' }).catch(() => {});
}
