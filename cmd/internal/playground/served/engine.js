// The engine in the program that serves the page. This file takes the place of the one for a worker, and
// has the same methods and events.

// The token comes in the fragment of the address, which browsers do not send. Then the tab keeps it, and
// the address does not.
const place = new URLSearchParams(location.hash.slice(1));
const token = place.get('token') ?? sessionStorage.getItem('playground token') ?? '';
sessionStorage.setItem('playground token', token);
if (place.has('token')) {
  place.delete('token');
  history.replaceState(null, '', place.size > 0 ? `#${place}` : location.pathname);
}

const page = crypto.randomUUID(); // each page has a session of its own

const gone = 'The program that serves this page has ended, or its address has changed: start it again, and open the address that it prints.';

const ask = (method, path, body, signal) => fetch(`engine/${page}${path}`, {
  method, signal, body: method === 'GET' ? undefined : body,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
});

export class Engine extends EventTarget {
  constructor() {
    super();
    this.#listen();
  }

  #tell(kind, message) {
    this.dispatchEvent(new CustomEvent(kind, { detail: { message } }));
  }

  // listen tells when the session has failed.
  async #listen() {
    for (;;) {
      const { status, text } = await this.fetch('GET', '/failure');
      if (status === 200) this.#tell('failed', text);
      if (status === 0) {
        this.#tell('stopped', gone);
        return;
      }
      if (status > 299) await new Promise(resolve => setTimeout(resolve, 2000));
    }
  }

  // fetch answers with status and text; 0 means that nobody has answered.
  async fetch(method, path, body) {
    try {
      const answer = await ask(method, path, body);
      return { status: answer.status, text: (await answer.text()).trim() };
    } catch {
      return { status: 0, text: gone };
    }
  }

  // stream calls piece with each piece of an answer {status, text, end}, and returns a function that ends it.
  stream(path, piece) {
    const abort = new AbortController();
    (async () => {
      const answer = await ask('GET', path, undefined, abort.signal);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        piece({ status: answer.status, text: value ?? '', end: done });
        if (done) return;
      }
    })().catch(() => abort.signal.aborted || piece({ status: 0, text: gone, end: true }));
    return () => abort.abort();
  }

  // ask answers with what the JSON says.
  async ask(method, path, body) {
    const { status, text } = await this.fetch(method, path, body);
    if (status !== 200) throw new Error(text);
    return JSON.parse(text);
  }
}
