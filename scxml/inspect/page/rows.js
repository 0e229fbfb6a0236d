// The rows of the log that are in memory: some blocks of a log of any length.

const block = 100;
const kept = 100; // blocks

export class Rows {
  #blocks = new Map(); // by number; those that changed last are last
  #wanted = [];
  #fetching = false;
  #fetch;
  #changed;

  // fetch(from, count) resolves to rows; changed is called when rows arrive.
  constructor(fetch, changed) {
    this.#fetch = fetch;
    this.#changed = changed;
  }

  // get returns row n, or undefined if it is not in memory.
  get(n) {
    return this.#blocks.get(Math.floor(n / block))?.[n % block];
  }

  add(rows) {
    for (const row of rows) {
      const number = Math.floor(row.n / block);
      const values = this.#blocks.get(number) ?? [];
      this.#blocks.delete(number);
      this.#blocks.set(number, values);
      row.active ??= []; // of a session that has ended
      values[row.n % block] = row;
    }
    for (const number of this.#blocks.keys()) {
      if (this.#blocks.size <= kept) break;
      this.#blocks.delete(number);
    }
  }

  // want asks for the rows from..to that are missing. Only the last call counts:
  // what has been scrolled past is not fetched.
  want(from, to) {
    this.#wanted = [];
    for (let n = from; n <= to; n++) {
      if (this.get(n)) continue;
      const end = n - n % block + block; // rows around it come too
      this.#wanted.push([n, end - n]);
      n = end - 1;
    }
    this.#pump();
  }

  async #pump() {
    if (this.#fetching || this.#wanted.length === 0) return;
    const [from, count] = this.#wanted.shift();
    this.#fetching = true;
    let rows = [];
    try {
      rows = await this.#fetch(from, count);
      this.add(rows);
    } catch { /* the next frame asks again */ }
    this.#fetching = false;
    if (rows.length > 0) this.#changed(); // which asks for what is still missing
  }
}
