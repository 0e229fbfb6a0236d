// CellMenu is the menu of a cell: the digits to write with the present pen, and actions.

import { element } from './element.js';

const columns = 3; // of the digits

export class CellMenu {
  #window;
  #tell;
  #leave; // gives the board the focus
  #digits;
  #pen = 'digits';

  constructor(window, tell, leave) {
    this.#window = window;
    this.#tell = tell;
    this.#leave = leave;
    this.#digits = Array.from({ length: 9 }, (_, i) => element('button', { role: 'menuitemcheckbox', 'data-digit': i + 1 }, String(i + 1)));
    window.onclick = ({ target }) => {
      const button = target.closest('button');
      if (button) this.#choose(button);
    };
    window.onkeydown = event => this.#key(event);
    window.addEventListener('contextmenu', event => event.preventDefault());
    window.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget && !window.contains(relatedTarget)) this.close(); });
    document.addEventListener('pointerdown', ({ target }) => { if (this.isOpen && !window.contains(target)) this.close(); }, true);
    addEventListener('resize', () => this.close());
  }

  get isOpen() { return this.#window.matches(':popover-open'); }

  fill(items) {
    this.#window.replaceChildren(element('div', { class: 'digits', role: 'group' }, ...this.#digits), ...items.map(({ name, label, key, line }) =>
      element('button', { role: 'menuitem', 'data-act': name, class: line ? 'line' : '' }, element('span', {}, label), element('kbd', {}, key ?? ''))));
  }

  // mark marks what the pen has written in the cell.
  mark(cell, pen) {
    this.#pen = pen;
    const set = pen === 'digits' ? 1 << (cell?.digit ?? 0) : cell?.[pen] ?? 0;
    for (const [i, button] of this.#digits.entries()) {
      button.setAttribute('aria-checked', String((set >> i + 1 & 1) === 1));
      button.setAttribute('aria-disabled', String(!!cell?.given && pen !== 'colours'));
    }
  }

  // openAt opens the menu next to a cell, where there is room.
  openAt(cell) {
    if (!this.isOpen) this.#window.showPopover();
    const { left, right, top, bottom } = cell.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = this.#window;
    const x = right + 4 + width <= innerWidth ? right + 4 : left - 4 - width;
    const y = Math.min(top, innerHeight - 4 - height);
    const beside = x >= 4;
    this.#window.style.left = `${beside ? x : Math.max(4, Math.min(left, innerWidth - 4 - width))}px`;
    this.#window.style.top = `${beside ? Math.max(4, y) : Math.max(4, bottom + 4 + height <= innerHeight ? bottom + 4 : top - 4 - height)}px`;
    (this.#digits.find(button => button.getAttribute('aria-checked') === 'true') ?? this.#digits[0]).focus();
  }

  close() { if (this.isOpen) this.#window.hidePopover(); }

  // With a pen the menu stays open: a cell may get several notes.
  #choose(button) {
    const { digit, act } = button.dataset, stays = digit ? this.#pen !== 'digits' : act.startsWith('pen-');
    if (!stays) {
      this.close();
      this.#leave();
    }
    this.#tell(digit ? { do: 'put', digit: Number(digit) } : { do: 'act', name: act });
  }

  #key(event) {
    const all = [...this.#window.querySelectorAll('button')], at = all.indexOf(document.activeElement);
    const rows = by => at < 9 && (by > 0 || at >= columns) ? Math.min(at + columns * by, 9) : at + by; // from the last digits to the first action
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: rows(1), ArrowUp: rows(-1), Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length].focus();
    else if (/^[1-9]$/.test(event.key)) this.#choose(this.#digits[event.key - 1]);
    else if (event.key === 'Escape' || event.key === 'Tab') {
      this.close();
      this.#leave();
    } else if (event.key !== 'Enter' && event.key !== ' ') return;
    else this.#choose(document.activeElement);
    event.preventDefault();
    event.stopPropagation();
  }
}
