// What the game keeps is in a store of IndexedDB, as values under names.

let opening;

const opened = () => opening ??= new Promise((resolve, reject) => {
  const request = indexedDB.open('sudoku', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('kept');
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const done = transaction => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onerror = transaction.onabort = () => reject(transaction.error);
});

// kept returns all values by their names; none where the browser has no store, as in some private windows.
// It throws what keeps it from reading a store.
export async function kept() {
  const database = await opened().catch(() => null);
  if (!database) return {};
  const transaction = database.transaction('kept');
  const store = transaction.objectStore('kept');
  const names = store.getAllKeys(), values = store.getAll();
  await done(transaction);
  return Object.fromEntries(names.result.map((name, i) => [name, values.result[i]]));
}

// keep keeps a value, or forgets the name if it is null; and with it the point, if there is one.
export async function keep(name, value, point) {
  const transaction = (await opened()).transaction('kept', 'readwrite');
  const store = transaction.objectStore('kept');
  if (value === null) store.delete(name);
  else store.put(value, name);
  if (point) store.put(point, 'point');
  return done(transaction);
}

// lock returns whether this page may keep games: the first of several pages may, until it is closed.
export const lock = () => new Promise(resolve => {
  if (!navigator.locks) return resolve(true);
  navigator.locks.request('sudoku', { ifAvailable: true }, held => {
    resolve(held !== null);
    return held && new Promise(() => {}); // until the worker ends
  }).catch(() => resolve(true)); // a browser that keeps nothing
});
