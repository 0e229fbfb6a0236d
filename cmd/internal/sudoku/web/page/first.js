// Plays the first puzzle while the program is on its way: what the player does is shown at once, by the
// rules of the chart, and the program hears all of it when it is there. Then the game is the program's.

import { eachPeer, grid, move, redo, redoStack, setUp, undo, undoStack, writes } from './rules.js';

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export class First {
  #view;
  #keys;
  #words;
  #at;
  #shown = []; // cells as JSON

  // The build has written what it needs for each language.
  constructor({ view, keys, words }) {
    [this.#view, this.#keys, this.#words, this.#at] = [view, keys, words, view.at];
    const row = x => digits.map((_, y) => view.cells[9 * x + y].digit ?? 0);
    setUp(digits.map((_, x) => row(x)));
  }

  // begin makes moves, from a point where the player was. It returns false if it cannot make all of them.
  begin({ cells = [this.#at], pen = 'digits' }, moves) {
    this.#at = cells[0];
    return pen === 'digits' && cells.length === 1 && moves.every(message => this.hear(message));
  }

  // hear makes a move. It returns false if it cannot.
  hear({ do: kind, key, digit, name, row, col, how }) {
    if (kind === 'key') [name, digit] = [this.#keys[key] ?? this.#keys[key.replace('Shift+', '')], Number(key.at(-1))];
    else if (kind === 'put') name = digit ? 'set' : 'clear';
    else if (kind === 'cell') name = how;
    const at = [Math.floor(this.#at / 9), this.#at % 9];
    switch (name) {
      case 'select':
        this.#at = 9 * row + col;
        return true;
      case 'up': case 'down': case 'left': case 'right': {
        const [rows, cols] = { up: [8, 0], down: [1, 0], left: [0, 8], right: [0, 1] }[name];
        this.#at = 9 * ((at[0] + rows) % 9) + (at[1] + cols) % 9;
        return true;
      }
      case 'set': case 'clear': {
        const changes = writes({ x: at[0], y: at[1], value: name === 'set' ? digit : 0 });
        if (changes.length > 0) move(changes);
        return true;
      }
      case 'undo':
        if (undoStack.length > 0) undo();
        return true;
      case 'redo':
        if (redoStack.length > 0) redo();
        return true;
    }
    return false;
  }

  // whole returns all that there is to see, and view what has changed.
  whole() {
    return { ...this.#view, ...this.view(), keys: Object.keys(this.#keys), facts: [] }; // facts need the program
  }

  view() {
    const cells = {}, say = [];
    for (const i of Array(81).keys()) {
      const cell = this.#cell(i), text = JSON.stringify(cell);
      if (text === this.#shown[i]) continue;
      const before = this.#shown[i] && JSON.parse(this.#shown[i]);
      if (before && before.digit !== cell.digit) say.push(`${cell.label}.`);
      this.#shown[i] = text;
      cells[i] = cell;
    }
    const can = [...undoStack.length > 0 ? ['undo'] : [], ...redoStack.length > 0 ? ['redo'] : []];
    const left = digits.map(digit => Math.max(0, 9 - grid().flat().filter(one => one === digit).length));
    return { type: 'view', at: this.#at, cells, can, on: [], left, rest: this.#words.rest, ...say.length > 0 ? { say: say.join(' ') } : {} };
  }

  // #cell returns what there is to see of a cell, as the program does in cell.go.
  #cell(i) {
    const at = (x, y) => grid()[x][y], [x, y] = [Math.floor(i / 9), i % 9], [row, col] = [Math.floor(this.#at / 9), this.#at % 9];
    const { given, label } = this.#view.cells[i], digit = at(x, y), selected = i === this.#at;
    let conflict = false, peer = false;
    eachPeer(x, y, (peerX, peerY) => {
      conflict ||= digit !== 0 && at(peerX, peerY) === digit;
      peer ||= peerX === row && peerY === col;
    });
    const equal = digit !== 0 && digit === at(row, col);
    const base = given ? label : label.slice(0, -this.#words.empty.length) + (digit || this.#words.empty);
    return {
      ...digit ? { digit } : {}, ...given ? { given } : {}, ...conflict ? { conflict, sign: '!' } : {},
      paper: selected ? 'pen' : conflict ? 'conflict' : equal ? 'equal' : peer ? 'peer' : '',
      label: base + (conflict ? `, ${this.#words.conflict}` : ''),
    };
  }
}
