// Board draws the cells, and hears the pointer on them.

import { element, set, setText } from './element.js';
import { Ink } from './ink.js';

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const has = (set, digit) => (set >> digit & 1) === 1;
const noNotes = element('span', { class: 'notes', 'aria-hidden': 'true' }, ...digits.map(() => element('i'))); // the label of the cell says them

const longPress = 500; // milliseconds
const notch = 100; // pixels that one turn of the wheel scrolls

export class Board {
  #cells = [];
  #shown = []; // what the cells show
  #at = 0;
  #tell;
  #ink;

  constructor(grid, tell) {
    this.#tell = tell;
    this.#ink = new Ink(grid, (number, strokes) => tell({ do: 'drawn', row: Math.floor(number / 9), col: number % 9, strokes }));
    for (let row = 0; row < 9; row++) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      line.setAttribute('aria-rowindex', row + 1);
      for (let col = 0; col < 9; col++) {
        const cell = document.createElement('div');
        cell.id = `c${9 * row + col}`;
        cell.setAttribute('role', 'gridcell');
        cell.setAttribute('aria-colindex', col + 1);
        cell.tabIndex = -1;
        this.#cells.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    this.#cells[0].tabIndex = 0;
    this.#listen(grid);
  }

  // focus gives the selected cell the focus, unless a dialog has it.
  focus() {
    if (!document.querySelector('dialog[open]')) this.#cells[this.#at].focus({ preventScroll: true });
  }

  // inkRead removes a drawn digit, which was read.
  inkRead() { this.#ink.read(); }

  // shown returns what a cell shows; without a number, the selected one.
  shown(number = this.#at) { return this.#shown[number]; }

  show({ cells = {} }) {
    for (const [number, cell] of Object.entries(cells)) {
      cell.label ??= this.#shown[number].label;
      this.#shown[number] = cell;
      this.#draw(this.#cells[number], cell);
    }
  }

  // select makes a cell the one that has the focus when the board has it, as it has now if focused is in it.
  select(at, focused) {
    if (at === undefined || at === this.#at) return;
    const had = this.#cells[this.#at].contains(focused);
    this.#cells[this.#at].tabIndex = -1;
    this.#cells[this.#at = at].tabIndex = 0;
    if (had) this.focus();
  }

  // draw touches only what is different: most keys change nothing but the papers of some cells.
  #draw(cell, { digit = 0, given, paper = '', conflict, sign, notes = 0, corner = 0, colours = 0, equal, cause = 0, target = 0, excluded = 0, marked, label }) {
    set(cell, 'class', names(given && 'given', paper, conflict && 'clash', paper === 'pen' && (conflict || sign === '×') && 'bad'));
    set(cell, 'aria-label', label);
    set(cell, 'aria-selected', String(paper === 'pen' || !!marked));
    set(cell, 'aria-readonly', String(!!given));
    cell.style.backgroundImage = paper === 'coloured' ? stripes(colours) : '';
    cell.style.setProperty('--over', paper === 'coloured' ? `var(--colour-${digits.find(d => has(colours, d))})` : '');
    const candidates = notes | corner | cause | target | excluded;
    if (digit || !candidates) {
      const text = !digit ? '' : digit > 9 || digit < 0 ? '?' : String(digit);
      if (!cell.querySelector('.notes') && cell.textContent === text + (sign ?? '')) return;
      cell.replaceChildren(text, ...sign ? [element('sup', {}, sign)] : []); // among notes the candidates are marked
      return;
    }
    if (!cell.querySelector('.notes')) cell.replaceChildren(noNotes.cloneNode(true));
    for (const [i, note] of [...cell.firstChild.children].entries()) {
      const d = i + 1;
      setText(note, has(candidates, d) ? `${d} ` : ''); // as the label has them
      set(note, 'class', names(has(corner, d) && 'corner', has(equal, d) && 'equal', has(cause, d) && 'cause', has(target, d) && 'target', has(excluded, d) && 'excluded'));
    }
  }

  // A press selects a cell; dragging, or Ctrl or Shift with a press, selects several. The other
  // button, or a long press of a finger, opens the menu of a cell. The wheel counts, unless it scrolls the page; it solves when it is pressed.
  #listen(grid) {
    let last = -1, timer, turned = 0, inking = -1;
    const place = ({ clientX, clientY }) => {
      const { left, top, width, height } = grid.getBoundingClientRect();
      return [(clientX - left) / width * 9, (clientY - top) / height * 9];
    };
    const numberAt = event => {
      const [col, row] = place(event).map(Math.floor);
      return col < 0 || col > 8 || row < 0 || row > 8 ? -1 : 9 * row + col;
    };
    const say = (number, how, more) => { if (number >= 0) this.#tell({ do: 'cell', row: Math.floor(number / 9), col: number % 9, how, ...more }); };
    const press = (number, how) => {
      if (number === last) return;
      clearTimeout(timer);
      last = number;
      say(number, how);
    };
    grid.addEventListener('pointerdown', event => {
      if (event.button > 0) return;
      event.preventDefault();
      grid.setPointerCapture(event.pointerId);
      last = -1;
      const number = numberAt(event);
      if (event.pointerType === 'pen' || event.pointerType === 'touch' && 'draw' in document.documentElement.dataset) {
        inking = number;
        this.#ink.begin(place(event), number);
        return;
      }
      press(number, event.ctrlKey || event.shiftKey || event.metaKey ? 'drag' : 'select');
      this.focus();
      if (event.pointerType !== 'mouse') timer = setTimeout(() => {
        last = -1;
        say(number, 'menu');
      }, longPress);
    });
    grid.addEventListener('pointermove', event => {
      if (inking >= 0 && grid.hasPointerCapture(event.pointerId)) {
        const points = event.getCoalescedEvents?.() ?? []; // some browsers have none
        for (const one of points.length > 0 ? points : [event]) this.#ink.move(place(one));
        return;
      }
      if (last >= 0 && grid.hasPointerCapture(event.pointerId)) press(numberAt(event), 'drag');
    });
    grid.addEventListener('lostpointercapture', () => {
      clearTimeout(timer);
      if (inking >= 0 && !this.#ink.end()) {
        press(inking, 'select');
        this.focus();
      }
      inking = -1;
      last = -1;
    });
    grid.addEventListener('contextmenu', event => {
      event.preventDefault();
      if (event.pointerType !== 'touch') say(event.button === 2 ? numberAt(event) : this.#at, 'menu'); // a finger has pressed long
    });
    grid.addEventListener('mousedown', event => { if (event.button === 1) event.preventDefault(); }); // it would scroll
    grid.addEventListener('auxclick', event => { if (event.button === 1) this.#tell({ do: 'act', name: 'solve' }); });
    grid.addEventListener('dblclick', event => {
      const number = numberAt(event), [x, y] = place(event).map(at => Math.floor(at % 1 * 3)), digit = 3 * y + x + 1;
      const { digit: written, given, notes = 0, corner = 0 } = this.#shown[number] ?? {};
      if (written && !given) say(number, 'note', { digit: 0 });
      else if (!written && has(notes | corner, digit)) say(number, 'note', { digit });
    });
    grid.addEventListener('wheel', event => {
      const number = numberAt(event), page = document.documentElement;
      if (event.ctrlKey || number !== this.#at && page.scrollHeight > page.clientHeight) return;
      event.preventDefault();
      turned -= event.deltaY * [1, 40, 400][event.deltaMode];
      if (Math.abs(turned) < notch / 2) return;
      say(number, 'wheel', { by: Math.sign(turned) });
      turned = 0;
    }, { passive: false });
  }
}

const names = (...all) => all.filter(Boolean).join(' ');

// stripes returns the colours of a cell as a picture.
function stripes(set) {
  const all = digits.filter(d => has(set, d));
  const bands = all.map((d, i) => `var(--colour-${d}-paper) ${100 * i / all.length}% ${100 * (i + 1) / all.length}%`);
  return `linear-gradient(115deg, ${bands.join(', ')})`;
}
