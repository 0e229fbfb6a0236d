// The engine, which runs in a worker: a chart that never comes to rest does not stop the page. It is
// replaced by a new one then.

const patience = 5000; // ms without a sign of life

export class Engine extends EventTarget {
  #worker;
  #ready;
  #open = new Map(); // the requests that are not answered, by their ids
  #last = 0; // id
  #heard = 0; // when the worker has shown that it is alive; 0 while it is loading
  #seen = 0; // when the page has looked for that

  // Events: loading {done, size}, ready, failed {message} of the session, stopped {message} of the worker.
  constructor() {
    super();
    this.#start();
    setInterval(() => this.#look(), 500);
  }

  #start() {
    this.#heard = 0;
    this.#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    let ready;
    this.#ready = new Promise(resolve => { ready = resolve; });
    this.#worker.addEventListener('error', event => this.#died(event.message ?? 'its program is not there'));
    this.#worker.addEventListener('message', ({ data }) => {
      if (this.#heard) this.#heard = performance.now();
      if (data.kind === 'ready') {
        this.#heard = performance.now();
        ready();
        this.#tell('ready');
      } else if (data.kind === 'answer') {
        const request = this.#open.get(data.id);
        if (data.end) this.#open.delete(data.id);
        request?.(data);
      } else if (data.kind === 'dead') {
        this.#died(data.message);
      } else if (data.kind === 'loading' || data.kind === 'failed') {
        this.#tell(data.kind, data);
      } else if (data.kind !== 'alive') {
        throw new Error(`the engine says what the page does not know: ${data.kind}`);
      }
    });
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  // look replaces the worker if it has not answered for long. The time during which the page itself did
  // not run does not count.
  #look() {
    const now = performance.now();
    const slept = now - this.#seen > 2000;
    this.#seen = now;
    if (!this.#heard) return;
    if (slept) this.#heard = now;
    if (now - this.#heard < patience) {
      this.#worker.postMessage({ kind: 'ping' });
      return;
    }
    this.#again(`A script of the chart did not end within ${patience / 1000} seconds. It was stopped.`);
  }

  // died tells that the program has ended, and starts another one unless it would not start either.
  #died(message) {
    if (this.#heard) this.#again(`The engine has stopped (${message}), and was started again.`);
    else this.#tell('stopped', { message: `cannot load the engine: ${message}` });
  }

  // again starts a new worker.
  #again(message) {
    this.#worker.terminate();
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#start();
    for (const request of open) request({ status: 503, text: message, end: true });
    this.#tell('stopped', { message });
  }

  // fetch answers with status and text.
  async fetch(method, path, body) {
    await this.#ready;
    return new Promise(resolve => this.#send(method, path, body, resolve));
  }

  // stream calls piece with each piece of an answer {status, text, end}, and returns a function that
  // ends it.
  stream(path, piece) {
    let id = null;
    let left = false;
    this.#ready.then(() => {
      if (!left) id = this.#send('GET', path, '', data => left || piece(data));
    });
    return () => {
      left = true;
      if (id !== null && this.#open.delete(id)) this.#worker.postMessage({ kind: 'leave', id });
    };
  }

  #send(method, path, body, answer) {
    this.#last++;
    this.#open.set(this.#last, answer);
    this.#worker.postMessage({ kind: 'request', id: this.#last, method, path, body });
    return this.#last;
  }

  // ask answers with what the JSON says.
  async ask(method, path, body) {
    const { status, text } = await this.fetch(method, path, body);
    if (status !== 200) throw new Error(text);
    return JSON.parse(text);
  }
}
