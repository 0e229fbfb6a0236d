// Board draws the cells, and hears the pointer on them.

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const has = (set, digit) => (set >> digit & 1) === 1;

export class Board {
  #cells = [];
  #at = 0;
  #tell;

  constructor(grid, tell) {
    this.#tell = tell;
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

  show({ cells = {}, at }) {
    for (const [number, cell] of Object.entries(cells)) this.#draw(this.#cells[number], cell);
    if (at === undefined || at === this.#at) return;
    const had = this.#cells[this.#at].contains(document.activeElement);
    this.#cells[this.#at].tabIndex = -1;
    this.#cells[this.#at = at].tabIndex = 0;
    if (had) this.focus();
  }

  #draw(cell, { digit = 0, given, paper = '', conflict, sign, notes = 0, corner = 0, colours = 0, equal, cause = 0, target = 0, excluded = 0, marked, label }) {
    cell.className = [given && 'given', paper, conflict && 'clash'].filter(Boolean).join(' ');
    cell.setAttribute('aria-label', label);
    cell.setAttribute('aria-selected', String(paper === 'pen' || !!marked));
    cell.style.backgroundImage = paper === 'coloured' ? stripes(colours) : '';
    cell.style.setProperty('--over', paper === 'coloured' ? `var(--colour-${digits.find(d => has(colours, d))})` : '');
    const content = [], candidates = notes | corner | cause | target | excluded;
    if (digit) content.push(digit > 9 || digit < 0 ? '?' : String(digit));
    else if (candidates) {
      const small = document.createElement('span');
      small.className = 'notes';
      for (const d of digits) {
        const note = document.createElement('i');
        if (has(candidates, d)) {
          note.textContent = d;
          note.className = [
            has(corner, d) && 'corner', has(equal, d) && 'equal', has(cause, d) && 'cause', has(target, d) && 'target', has(excluded, d) && 'excluded',
          ].filter(Boolean).join(' ');
        }
        small.append(note);
      }
      content.push(small);
    }
    if (sign && (digit || !candidates)) { // among notes the candidates are marked
      const mark = document.createElement('sup');
      mark.textContent = sign;
      content.push(mark);
    }
    cell.replaceChildren(...content);
  }

  // A press selects a cell; dragging, or Ctrl or Shift with a press, selects several.
  #listen(grid) {
    let last = -1;
    const numberAt = ({ clientX, clientY }) => {
      const box = grid.getBoundingClientRect();
      const col = Math.floor((clientX - box.left) / box.width * 9), row = Math.floor((clientY - box.top) / box.height * 9);
      return col < 0 || col > 8 || row < 0 || row > 8 ? -1 : 9 * row + col;
    };
    const press = (number, how) => {
      if (number < 0 || number === last) return;
      last = number;
      this.#tell({ do: 'cell', row: Math.floor(number / 9), col: number % 9, how });
    };
    grid.addEventListener('pointerdown', event => {
      if (event.button > 0) return;
      event.preventDefault();
      grid.setPointerCapture(event.pointerId);
      last = -1;
      press(numberAt(event), event.ctrlKey || event.shiftKey || event.metaKey ? 'drag' : 'select');
      this.focus();
    });
    grid.addEventListener('pointermove', event => {
      if (last >= 0 && grid.hasPointerCapture(event.pointerId)) press(numberAt(event), 'drag');
    });
    grid.addEventListener('lostpointercapture', () => { last = -1; });
  }
}

// stripes returns the colours of a cell as a picture.
function stripes(set) {
  const all = digits.filter(d => has(set, d));
  const bands = all.map((d, i) => `var(--colour-${d}-paper) ${100 * i / all.length}% ${100 * (i + 1) / all.length}%`);
  return `linear-gradient(115deg, ${bands.join(', ')})`;
}
