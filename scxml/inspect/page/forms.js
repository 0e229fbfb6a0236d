// The events that can be sent, with fields for their data.

import { $, el, joined, latest, listed, place, setText, visible } from './dom.js';
import { isUndefined, same, write } from './values.js';

export class Send {
  #body = $('#send .body');
  #head = $('#send-head');
  #would = el('p', { class: 'would', role: 'status' });
  #now = el('div', { class: 'events' });
  #later = el('div', { class: 'events' });
  #rest = el('details', { class: 'rest' }, el('summary', {}, 'Events that the chart sends itself'), this.#later);
  #note = el('p', { class: 'note' });
  #time = el('div', { class: 'events' });
  #stop = el('details', { class: 'rest' }, el('summary', {}, 'Stop'), el('p', { class: 'note' }, 'Runs the onexit handlers of the active states and ends the session.'));
  #shown = null;
  #made = new Map(); // event → element
  #host;
  #asked = '';

  // host has send(event, data), act(what, body), try(event, data) and would(transitions),
  // which lights what an event would do.
  constructor(host) {
    this.#host = host;
    const name = el('input', { name: 'event', required: true, placeholder: 'event', 'aria-label': 'Event', autocomplete: 'off', spellcheck: 'false' });
    const data = el('input', { name: 'data', placeholder: 'data as JSON', 'aria-label': 'Data as JSON', autocomplete: 'off', spellcheck: 'false' });
    const any = el('form', { class: 'any' }, name, data, el('button', {}, 'Send'));
    any.addEventListener('submit', event => {
      event.preventDefault();
      this.#attempt(data, () => this.#host.send(name.value.trim(), data.value.trim() === '' ? undefined : JSON.parse(data.value)));
    });
    this.#body.append(this.#note, this.#now, this.#would, this.#rest, el('details', { class: 'rest' }, el('summary', {}, 'Any event'), any), this.#time, this.#stop);
    this.#stop.append(el('button', { onclick: () => this.#attempt(this.#stop, () => host.act('stop')) }, 'Stop the session'));
  }

  // show shows the panel, with the forms of a position. past tells that sending makes a branch.
  show(forms, { past, ended, virtual, readonly }) {
    const key = JSON.stringify([forms, past, ended, virtual, readonly]);
    if (key === this.#shown) return;
    this.#shown = key;
    $('#send').hidden = readonly;
    if (readonly) return;
    this.#head.textContent = past ? 'Continue from here' : 'Send';
    this.#note.textContent = ended ? 'The session has ended. Choose an earlier step to continue from there.' :
      past ? 'Sending makes a branch: a copy that sends nothing out.' : '';
    this.#note.hidden = !this.#note.textContent;
    const old = this.#made;
    this.#made = new Map();
    const now = [];
    const later = [];
    for (const form of forms) {
      // What has been typed stays, unless there are other fields.
      const text = JSON.stringify([form.open, form.own, form.fields?.map(({ name, kind, values }) => [name, kind, values]), form.grid?.cells.map(row => row.length)]);
      const kept = old.get(form.event);
      const made = kept?.text === text ? kept : { text, ...this.#form(form) };
      if (form.grid) made.table.show(form.grid.cells);
      this.#made.set(form.event, made);
      (form.own ? later : now).push(made.node);
    }
    place(this.#now, now);
    place(this.#later, later);
    this.#now.hidden = ended || now.length === 0;
    this.#rest.hidden = ended || later.length === 0;
    this.#time.hidden = ended || !virtual;
    this.#stop.hidden = ended || past;
    if (virtual && !this.#time.hasChildNodes()) this.#time.append(...this.#advance());
    this.#clear();
  }

  // focus moves to the form of the first event that has one, and tells whether
  // there is one.
  focus(events) {
    const event = events.find(one => this.#made.has(one.replace(/\.?\*$/, '')));
    if (event === undefined) return false;
    const { node } = this.#made.get(event.replace(/\.?\*$/, ''));
    const details = node.closest('details');
    if (details) details.open = true;
    requestAnimationFrame(() => $('button, input, select', node)?.focus());
    return true;
  }

  #advance() {
    const by = el('input', { type: 'number', min: 0, step: 'any', value: 1000, 'aria-label': 'Milliseconds', class: 'ms' });
    return [
      el('button', { onclick: () => this.#attempt(by, () => this.#host.act('advance', { next: true })) }, 'Next timer'),
      el('form', { class: 'inline', onsubmit: event => {
        event.preventDefault();
        this.#attempt(by, () => this.#host.act('advance', { by_ms: Number(by.value) }));
      } }, by, el('button', {}, 'ms pass')),
    ];
  }

  #form({ event, open, fields = [], grid }) {
    const inputs = fields.map(input);
    const name = open ? el('input', { value: event ? `${event}.` : '', required: true, 'aria-label': 'Event', autocomplete: 'off', spellcheck: 'false' }) : null;
    const named = () => name ? name.value.trim().replace(/\.$/, '') : event;
    const data = () => {
      let all;
      fields.forEach((field, i) => {
        const value = inputs[i].value();
        if (value !== undefined) all = put(all, field.path, value);
      });
      return all;
    };
    const simple = !open && inputs.length === 0;
    const shown = inputs.filter((_, i) => !grid || i !== grid.row && i !== grid.column);
    const form = el('form', { class: simple ? 'event' : 'event wide' },
      grid ? el('b', {}, event) : el('button', { class: 'go' }, open ? 'Send' : event), name, shown.map(one => one.node));
    const table = grid ? cells(grid, event, (row, column) => {
      inputs[grid.row].set(row);
      inputs[grid.column].set(column);
    }) : null;
    if (table) form.append(table.node);
    form.addEventListener('submit', submitted => {
      submitted.preventDefault();
      this.#attempt(form, () => this.#host.send(named(), data()));
    });
    const ask = () => {
      if (!form.checkValidity()) return;
      try {
        const what = data();
        this.#asked = event;
        this.#try(event, named(), what);
      } catch { /* it cannot be sent either: then the reason is shown */ }
    };
    for (const type of ['pointerover', 'focusin', 'input']) form.addEventListener(type, ask);
    for (const type of ['pointerleave', 'focusout']) form.addEventListener(type, () => this.#clear());
    return { node: form, table };
  }

  #try = latest(async (event, name, data) => {
    try {
      const answer = await this.#host.try(name, data);
      if (this.#asked !== event) return;
      setText(this.#would, says(name, answer));
      this.#host.would(answer.rows.flatMap(row => row.transitions));
    } catch (error) {
      if (this.#asked === event) setText(this.#would, error.message);
    }
  }, 120);

  #clear() {
    this.#asked = '';
    this.#would.textContent = '';
    this.#host.would([]);
  }

  async #attempt(node, work) {
    for (const old of this.#body.querySelectorAll('.problem')) old.remove();
    try {
      await work();
    } catch (error) {
      const text = error instanceof SyntaxError ? joined`The data are not JSON: ${error.message}` : error.message;
      node.after(el('p', { class: 'problem', role: 'alert' }, text));
    }
  }
}

function says(event, { handled, certain, rows, changed }) {
  if (!handled) return joined`${event} would do nothing.`;
  const all = name => rows.flatMap(row => row[name]);
  const parts = [];
  if (all('errors').length > 0) parts.push(joined`fail: ${all('errors')[0]}`);
  if (all('enter').length > 0) parts.push(joined`enter ${listed(all('enter'))}`);
  if (all('sent').length > 0) parts.push(joined`send ${listed(all('sent'))}`);
  if (changed.length > 0) parts.push(joined`change ${listed(changed.map(one => joined`${one.name} to ${write(one.value, 30)}`))}`);
  return joined`${event} ${certain ? 'would' : 'might'} ${parts.length > 0 ? listed(parts, '; ') : 'be handled, and stay'}.`;
}

// put puts a value into the data at a path. The empty path is all of the data.
function put(data, [key, ...rest], value) {
  if (key === undefined) return value;
  const object = data !== null && typeof data === 'object' ? data : {};
  const old = Object.hasOwn(object, key) ? object[key] : undefined;
  // Not an assignment: that of __proto__ would change the prototype.
  return Object.defineProperty(object, key, { value: put(old, rest, value), configurable: true, enumerable: true, writable: true });
}

// input makes the input of a field, and the functions that read and set it.
function input({ name, kind, values, default: value }) {
  const label = name || 'data';
  const first = isUndefined(value) ? undefined : value;
  const named = (node, value, set) => ({ node: el('label', {}, el('span', {}, label), node), value, set });
  switch (kind) {
    case 'choice': {
      const node = el('select', {}, values.map((value, i) => el('option', { value: i, selected: same(value, first) }, typeof value === 'string' && value ? value : write(value))));
      return named(node, () => values[node.value], value => { node.value = values.findIndex(one => same(one, value)); });
    }
    case 'boolean': {
      const node = el('input', { type: 'checkbox', checked: first === true });
      return named(node, () => node.checked, value => { node.checked = value; });
    }
    case 'number': {
      const node = el('input', { type: 'number', step: 'any', required: true, value: first ?? 0 });
      return named(node, () => node.valueAsNumber, value => { node.value = value; });
    }
    case 'text': {
      const node = el('input', { type: 'text', value: first ?? '', autocomplete: 'off' });
      return named(node, () => node.value, value => { node.value = value; });
    }
  }
  const node = el('input', { type: 'text', value: first === undefined ? '' : JSON.stringify(first), placeholder: 'JSON or a text', autocomplete: 'off', spellcheck: 'false' });
  return named(node, () => read(node.value), value => { node.value = JSON.stringify(value); });
}

// read reads JSON or, where a text does not look like it, takes the text.
function read(text) {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  try {
    return JSON.parse(trimmed);
  } catch (error) {
    if (/^[[{"]/.test(trimmed)) throw error;
    return text;
  }
}

// cells makes a table in which a cell is chosen: by a click, or by the arrow keys
// and Enter. It is one stop of the tab key. show changes what the cells have.
function cells({ cells: rows }, event, choose) {
  const buttons = rows.map((row, y) => row.map((_, x) => el('button', {
    tabindex: y + x ? -1 : 0, onfocus: () => choose(y, x), onpointerover: () => choose(y, x), onclick: () => choose(y, x),
  })));
  const table = el('table', { class: 'grid cells' }, el('tbody', {}, buttons.map(row => el('tr', {}, row.map(button => el('td', {}, button))))));
  table.addEventListener('keydown', key => {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key.key];
    const y = buttons.findIndex(row => row.includes(key.target));
    if (!move || y < 0) return;
    const x = buttons[y].indexOf(key.target);
    const next = buttons[y + move[0]]?.[x + move[1]];
    key.preventDefault();
    if (!next) return;
    key.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  const show = rows => buttons.forEach((row, y) => row.forEach((button, x) => {
    const cell = rows[y][x];
    setText(button, isUndefined(cell) || cell === 0 || cell === null ? '·' : write(cell, 4));
    button.setAttribute('aria-label', `${visible(event)}, row ${y}, column ${x}, ${write(cell)}`);
  }));
  return { node: el('div', { class: 'wide' }, table), show };
}
