// The log: one row for each step, of which only those in view are elements.

import { $, el, joined, listed, setText, onFrame, time, count } from './dom.js';
import { write, isUndefined } from './values.js';

const tallest = 8e6; // px; browsers draw nothing beyond about 16 million
const kinds = {
  start: '●', external: '→', timer: '◷', internal: '↻', invoke: '⧉', platform: '⚙', stop: '■', clock: '◷',
};

export class Log {
  #list = $('#rows');
  #window = $('#window');
  #pool = [];
  #top = 0; // the first row in view; has a fraction
  #height = 28; // of a row in px
  #scrolled = 0; // the scroll position that #top belongs to
  #follow = true; // the end stays in view
  #view = { first: 0, length: 0, at: null, rows: null, chart: null };
  #later = onFrame(() => this.#draw());

  // choose(n) is called with the step that was chosen.
  constructor(choose) {
    this.#list.addEventListener('scroll', () => this.#scroll());
    this.#list.addEventListener('keydown', key => this.#key(key, choose));
    this.#window.addEventListener('click', event => {
      const row = event.target.closest('.row');
      if (row) choose(Number(row.dataset.n));
    });
    new ResizeObserver(() => {
      this.#height = parseFloat(getComputedStyle(this.#list).getPropertyValue('--row'));
      this.#later();
    }).observe(this.#list);
  }

  // show draws the log now. at is the chosen step. When it is null the end is shown,
  // unless the log has been scrolled away from it.
  show(view) {
    const moved = view.at !== this.#view.at || view.rows !== this.#view.rows;
    this.#view = view;
    if (moved) this.#follow = view.at === null;
    if (moved && view.at !== null) this.#reveal(view.at);
    this.#draw();
  }

  #fit() {
    return Math.max(1, Math.floor(this.#list.clientHeight / this.#height));
  }

  #reveal(n) {
    const fit = this.#fit();
    if (n < this.#top) this.#go(n - Math.min(3, fit >> 2));
    else if (n >= this.#top + fit) this.#go(n - fit + 1 + Math.min(3, fit >> 2));
  }

  #go(top) {
    const { first, length } = this.#view;
    this.#top = Math.min(Math.max(top, first), Math.max(first, length - this.#fit()));
  }

  // The scroll bar of a log that is taller than a browser can draw is coarse.
  // Short ways move by rows as usual, long ones to the same part of the log.
  #scroll() {
    const by = this.#list.scrollTop - this.#scrolled;
    if (Math.abs(by) < 0.5) return;
    this.#scrolled = this.#list.scrollTop;
    const room = this.#room();
    const { first, length } = this.#view;
    const last = Math.max(first, length - this.#list.clientHeight / this.#height);
    if ((length - first) * this.#height <= tallest || Math.abs(by) > 2 * this.#list.clientHeight) {
      this.#top = first + (room > 0 ? this.#scrolled / room * (last - first) : 0);
    } else {
      this.#top += by / this.#height;
    }
    this.#top = Math.min(Math.max(this.#top, first), last);
    this.#follow = this.#view.at === null && this.#top >= last - 0.5;
    this.#later();
  }

  #tall() {
    return Math.min(tallest, (this.#view.length - this.#view.first) * this.#height);
  }

  #room() {
    return Math.max(0, this.#tall() - this.#list.clientHeight);
  }

  #draw() {
    const { first, length, at, rows, chart } = this.#view;
    if (!rows || this.#list.clientHeight === 0) return;
    this.#window.style.height = `${this.#tall()}px`;
    const last = Math.max(first, length - this.#list.clientHeight / this.#height);
    this.#top = this.#follow ? last : Math.max(this.#top, first);
    const offset = last > first ? (this.#top - first) / (last - first) * this.#room() : 0;
    if (Math.abs(offset - this.#list.scrollTop) >= 1) {
      this.#list.scrollTop = offset;
    }
    this.#scrolled = this.#list.scrollTop;

    const from = Math.floor(this.#top);
    const to = Math.min(length, from + this.#fit() + 2);
    while (this.#pool.length < to - from) {
      const row = new Row();
      this.#pool.push(row);
      this.#window.append(row.node);
    }
    const chosen = at ?? length - 1;
    const cause = rows.get(chosen)?.cause?.n;
    this.#pool.forEach((row, i) => {
      const n = from + i;
      row.node.hidden = n >= to;
      if (n >= to) return;
      row.show(n, rows.get(n), chart, length - first, n - first + 1);
      row.move(this.#scrolled + (n - this.#top) * this.#height);
      const mark = n === chosen ? 'chosen' : n === cause ? 'cause' : rows.get(n)?.cause?.n === chosen ? 'effect' : '';
      row.mark(mark);
    });
    if (chosen >= from && chosen < to) this.#list.setAttribute('aria-activedescendant', `row-${chosen}`);
    else this.#list.removeAttribute('aria-activedescendant');
    rows.want(from, to - 1);
  }

  #key(event, choose) {
    const { first, length, at } = this.#view;
    const now = at ?? length - 1;
    const page = Math.max(1, this.#fit() - 1);
    const to = {
      ArrowUp: now - 1, ArrowDown: now + 1, PageUp: now - page, PageDown: now + page, Home: first, End: length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(Math.min(Math.max(to, first), length - 1), event.key === 'End');
  }
}

class Row {
  node = el('div', { class: 'row', role: 'option' });
  #parts = ['n', 'time', 'kind', 'event', 'data', 'effect', 'notes'].map(name => el('span', { class: name }));
  #row;
  #n;
  #mark = '';
  #y;

  constructor() {
    this.node.append(...this.#parts);
  }

  move(y) {
    if (y === this.#y) return;
    this.#y = y;
    this.node.style.transform = `translateY(${y}px)`;
  }

  mark(mark) {
    if (mark === this.#mark) return;
    if (this.#mark) this.node.classList.remove(this.#mark);
    if (mark) this.node.classList.add(mark);
    this.#mark = mark;
    this.node.setAttribute('aria-selected', mark === 'chosen');
  }

  show(n, row, chart, size, place) {
    this.node.setAttribute('aria-setsize', size);
    if (n === this.#n && row === this.#row) return;
    this.#n = n;
    this.#row = row;
    this.node.id = `row-${n}`;
    this.node.dataset.n = n;
    this.node.setAttribute('aria-posinset', place);
    const texts = row ? describe(row, chart) : [count(n), '', '', '…', '', '', ''];
    texts.forEach((text, i) => setText(this.#parts[i], text));
    this.node.classList.toggle('bad', row?.errors.length > 0);
    this.node.classList.toggle('nothing', Boolean(row?.unhandled));
  }
}

// describe returns the texts of a row's columns.
function describe(row, chart) {
  const notes = [];
  if (row.errors.length > 0) notes.push(joined`⚠ ${row.errors[0]}`);
  if (row.sent.length > 0) notes.push(joined`↗ ${listed(row.sent, ' ')}`);
  if (row.logs.length > 0) notes.push(joined`“${row.logs[0]}”`);
  return [
    count(row.n), time(row.time_ms), kinds[row.kind] ?? '', joined`${row.session ? joined`${row.session}: ` : ''}${row.event ?? row.kind}`,
    isUndefined(row.data) ? '' : write(row.data, 40), effect(row, chart), listed(notes, '  '),
  ];
}

// effect says where the step has led.
export function effect(row, chart) {
  if (row.unhandled) return 'no transition';
  const entered = row.enter.filter(name => chart.atomic.has(name));
  if (entered.length > 0) return joined`→ ${listed(entered)}`;
  return row.transitions.length > 0 ? 'stays' : '';
}
