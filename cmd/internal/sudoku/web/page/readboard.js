// ReadBoard shows what was read of a picture: each cell of the picture with its digit. The player
// compares and corrects them.

import { element } from './element.js';

export class ReadBoard {
  node;
  #cells;
  #at = 0;
  #read;
  #set;
  #picture = element('div', { class: 'picture' }); // of the selected cell
  #guesses = element('div', { class: 'guesses', role: 'group' });
  #written;

  // The texts are those of buttons. set says how the player corrects a cell.
  constructor([nextDoubt, handwritten, empty], set) {
    this.#set = set;
    this.#cells = Array.from({ length: 81 }, (_, i) => element('div', { role: 'gridcell', tabindex: i ? -1 : 0, 'aria-colindex': i % 9 + 1 }));
    const grid = element('div', { role: 'grid', class: 'read' }, ...Array.from({ length: 9 }, (_, row) => element('div', { role: 'row' }, ...this.#cells.slice(9 * row, 9 * row + 9))));
    const digits = Array.from({ length: 10 }, (_, i) => {
      const digit = (i + 1) % 10;
      const button = element('button', { type: 'button', 'aria-label': digit ? '' : empty }, digit ? String(digit) : '⌫');
      button.onclick = () => this.#correct(digit);
      return button;
    });
    this.#written = element('button', { type: 'button' }, handwritten);
    this.#written.onclick = () => this.#toggleWritten();
    const next = element('button', { type: 'button' }, nextDoubt);
    next.onclick = () => this.#nextDoubt();
    this.empty = empty;
    this.node = element('div', { class: 'compare' }, grid,
      element('div', { class: 'correct' }, this.#picture, this.#guesses, element('div', { class: 'digits', role: 'group' }, ...digits), element('div', { class: 'tools' }, next, this.#written)));
    grid.onclick = ({ target }) => {
      const cell = target.closest('[role=gridcell]');
      if (cell) this.#select(this.#cells.indexOf(cell));
    };
    this.node.onkeydown = event => this.#key(event);
  }

  show(read, sheets) {
    const first = read.sheet !== this.#read?.sheet;
    this.#read = read;
    if (first) {
      this.node.style.setProperty('--sheet', `url("data:image/png;base64,${sheets[read.sheet] ?? ''}")`);
      this.#at = Math.max(0, this.#doubtAfter(80)); // what is in doubt comes first
    }
    this.#cells.forEach((cell, i) => {
      const row = Math.floor(i / 9), col = i % 9, digit = read.digits[row][col];
      cell.setAttribute('aria-label', read.labels[i]);
      cell.className = [read.doubt[row][col] && 'doubt', read.written[row][col] && 'written'].filter(Boolean).join(' ');
      cell.style.setProperty('--place', place(i));
      cell.replaceChildren(element('span', { class: 'picture' }), ...digit ? [element('b', {}, String(digit))] : [], ...read.doubt[row][col] ? [element('sup', {}, '?')] : []);
    });
    this.#showSelected();
  }

  #showSelected() {
    const row = Math.floor(this.#at / 9), col = this.#at % 9, digit = this.#read.digits[row][col];
    this.#cells.forEach((cell, i) => {
      cell.tabIndex = i === this.#at ? 0 : -1;
      cell.setAttribute('aria-selected', String(i === this.#at));
    });
    this.#picture.style.setProperty('--place', place(this.#at));
    this.#guesses.replaceChildren(...(this.#read.guesses[row][col] ?? []).map(({ digit: guess, percent }) => {
      const button = element('button', { type: 'button', 'aria-pressed': String(guess === digit) }, `${guess || this.empty} `, element('small', {}, `${percent} %`));
      button.onclick = () => this.#correct(guess);
      return button;
    }));
    this.#written.setAttribute('aria-pressed', String(this.#read.written[row][col]));
    this.#written.setAttribute('aria-disabled', String(!digit));
  }

  #select(at) {
    this.#at = at;
    this.#showSelected();
    this.#cells[at].focus();
  }

  #correct(digit) { this.#set({ cell: this.#at, digit }); }

  #toggleWritten() {
    const row = Math.floor(this.#at / 9), col = this.#at % 9;
    if (this.#read.digits[row][col]) this.#set({ cell: this.#at, written: !this.#read.written[row][col] });
  }

  // doubtAfter returns the next cell in doubt, or -1.
  #doubtAfter(at) {
    for (let i = 1; i <= 81; i++) {
      const n = (at + i) % 81;
      if (this.#read.doubt[Math.floor(n / 9)][n % 9]) return n;
    }
    return -1;
  }

  #nextDoubt() {
    const next = this.#doubtAfter(this.#at);
    if (next >= 0) this.#select(next);
  }

  #key(event) {
    const { key, target } = event, row = Math.floor(this.#at / 9), col = this.#at % 9;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const to = !target.matches('[role=gridcell]') ? undefined : {
      ArrowUp: (this.#at + 72) % 81, ArrowDown: (this.#at + 9) % 81, ArrowLeft: 9 * row + (col + 8) % 9, ArrowRight: 9 * row + (col + 1) % 9,
      Home: 9 * row, End: 9 * row + 8, PageUp: col, PageDown: 72 + col,
    }[key];
    if (to !== undefined) this.#select(to);
    else if (/^[0-9]$/.test(key)) this.#correct(Number(key));
    else if (['Delete', 'Backspace', '.'].includes(key) || key === ' ' && !target.matches('button')) this.#correct(0);
    else if (key === '?') this.#nextDoubt();
    else if (key === "'") this.#toggleWritten();
    else return;
    event.preventDefault();
  }
}

// place returns where the middle of a cell is on the sheet of nine by nine pictures; a twelfth of each
// side is cut off, as the style sheet has it.
const place = at => [at % 9, Math.floor(at / 9)].map(n => `${(n + .08) / 8.16 * 100}%`).join(' ');
