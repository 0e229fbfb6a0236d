// The rows of the log that are in memory: some blocks of a log of any length.

const block = 100;
const kept = 100; // blocks

export class Rows {
  #blocks = new Map(); // by number; those that changed last are last
  #wanted = [];
  #fetching = 0;
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

  // effects returns the rows in memory, soon after row n, that it has caused.
  effects(n) {
    const found = [];
    for (let m = n + 1; m <= n + 3 * block; m++) {
      const row = this.get(m);
      if (row?.cause?.n === n) found.push(row);
    }
    return found;
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
    for (let number = Math.floor(from / block); number <= Math.floor(to / block); number++) {
      const first = Math.max(from, number * block);
      const last = Math.min(to, number * block + block - 1);
      for (let n = first; n <= last; n++) {
        if (!this.get(n)) {
          this.#wanted.push(number);
          break;
        }
      }
    }
    this.#pump();
  }

  async #pump() {
    if (this.#fetching > 0 || this.#wanted.length === 0) return;
    const number = this.#wanted.shift();
    this.#fetching++;
    try {
      const rows = await this.#fetch(number * block, block);
      this.add(rows);
      if (rows.length === 0) this.#wanted = [];
    } catch {
      this.#wanted = []; // the next frame with missing rows asks again
    } finally {
      this.#fetching--;
    }
    this.#changed();
    this.#pump();
  }
}
