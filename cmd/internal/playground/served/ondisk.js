// The file on disk that scxmlrun edit was started with: when it was saved, and what another program does to it.

const often = 2000; // ms between two looks at the file

export class OnDisk {
  #engine;
  #page; // text
  #mark; // of the text of the file that the page knows
  #saved; // the text
  #busy = false;
  name;

  // open returns the file, or null if the page has none.
  static async open(engine, page) {
    const answer = await engine.ask('GET', '/file');
    return answer && new OnDisk(engine, page, answer);
  }

  constructor(engine, page, { name, text, mark }) {
    this.#engine = engine;
    this.#page = page;
    this.#mark = mark;
    this.#saved = text;
    this.name = name;
    this.changed();
    setInterval(() => document.visibilityState === 'visible' && this.#look().catch(() => {}), often);
    addEventListener('beforeunload', event => { if (this.#page.text !== this.#saved) event.preventDefault(); });
  }

  get text() { return this.#saved; }

  changed() {
    const changed = this.#page.text !== this.#saved;
    document.title = `${changed ? '• ' : ''}${this.name}`;
    document.querySelector('h1').textContent = `${this.name}${changed ? ' (not saved)' : ''}`;
  }

  // look takes what another program has written, unless the page has changes that are not saved.
  async #look() {
    if (this.#busy || this.#page.text !== this.#saved) return;
    const { text, mark } = await this.#engine.ask('GET', '/file');
    if (mark === this.#mark || this.#busy || this.#page.text !== this.#saved) return;
    this.#mark = mark;
    this.#saved = text;
    this.#page.text = text;
    this.changed();
  }

  // save saves the text. If another program has changed the same lines, it asks.
  async save(force = false) {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { text } = this.#page;
      const answer = await this.#engine.ask('POST', '/file', JSON.stringify({ text, mark: this.#mark, force }));
      if (!answer.conflict) {
        this.#mark = answer.mark;
        this.#saved = answer.text;
        if (answer.merged && this.#page.text === text) this.#page.text = answer.text;
        this.changed();
        return;
      }
      const choice = await this.#ask();
      if (choice === 'mine') {
        this.#mark = answer.mark;
        this.#busy = false;
        await this.save();
      } else if (choice === 'theirs') {
        this.#mark = answer.mark;
        this.#saved = answer.text;
        this.#page.text = answer.text;
        this.changed();
      }
    } finally {
      this.#busy = false;
    }
  }

  #ask() {
    const dialog = document.querySelector('#conflict');
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise(resolve => {
      dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true });
    });
  }
}
