// Values of the data model, in the encoding of the machine protocol.

import { el, joined, listed, visible } from './dom.js';

const isEncoded = value => {
  const keys = Object.keys(value);
  return keys.length === 1 && /^\$[a-z]/.test(keys[0]) ? keys[0] : null;
};

// write returns a value as text that a person reads; it is cut at about limit
// characters.
export function write(value, limit = 60) {
  const text = whole(value, limit);
  return visible(text, limit);
}

function whole(value, limit) {
  if (value === undefined) return '';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return joined`[${items(value, limit)}]`;
  const encoded = isEncoded(value);
  switch (encoded) {
    case '$undefined': return 'undefined';
    case '$number': return value.$number;
    case '$bigint': return `${value.$bigint}n`;
    case '$date': return value.$date;
    case '$xml': return value.$xml;
    case '$function': return `function ${value.$function}`;
    case '$long': return value.$long;
  }
  const fields = Object.entries(value).map(([key, field]) => [key.replace(/^\$\$/, '$'), field]);
  return joined`{${items(fields, limit, ([key, field], rest) => joined`${visible(key)}: ${write(field, rest)}`)}}`;
}

// items stops when the text is long enough: values can be large.
function items(list, limit, one = write) {
  const texts = [];
  let length = 0;
  for (const item of list) {
    if (length >= limit) {
      texts.push('…');
      break;
    }
    const text = one(item, limit - length);
    texts.push(text);
    length += text.length + 2;
  }
  return listed(texts);
}

export const isUndefined = value => value === undefined || value?.$undefined === true;

const isPlain = value => value === null || typeof value !== 'object' || isEncoded(value) !== null;

export const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

// isGrid tells whether a value is a list of equally long lists of short values.
export function isGrid(value) {
  if (!Array.isArray(value) || value.length < 2 || !Array.isArray(value[0])) return false;
  const width = value[0].length;
  return width > 1 && width <= 40 && value.length <= 100 &&
    value.every(row => Array.isArray(row) && row.length === width &&
      row.every(cell => isPlain(cell) && write(cell).length <= 6));
}

// view makes the element that shows a value. What differs from before, if that
// is given, is marked. Objects open when they are clicked, and their contents
// are made then. open is the set of open paths, which outlives the element.
export function view(value, { before, open = new Set(), path = '', name } = {}) {
  const changed = before !== undefined && !same(value, before);
  const label = name === undefined ? null : el('span', { class: 'key' }, name);
  if (isPlain(value)) {
    return el('div', { class: changed ? 'item changed' : 'item' }, label,
      el('span', { class: `value ${kind(value)}` }, write(value, 400)),
      changed && isPlain(before) ? el('span', { class: 'before' }, el('span', { class: 'unseen' }, 'before: '), write(before, 80)) : null);
  }
  const summary = el('summary', {}, label, el('span', { class: 'value' }, write(value)));
  const details = el('details', { class: changed ? 'item changed' : 'item' }, summary);
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(isGrid(value) ? grid(value, before) : fields(value, { before, open, path }));
  };
  details.open = open.has(path);
  if (details.open) fill();
  details.addEventListener('toggle', () => {
    if (details.open) {
      open.add(path);
      fill();
    } else {
      open.delete(path);
    }
  });
  return details;
}

function kind(value) {
  return value === null || typeof value === 'object' ? 'other' : typeof value;
}

const most = 500; // fields that are shown of one object

function fields(value, { before, open, path }) {
  const list = el('div', { class: 'fields' });
  const entries = Object.entries(value);
  for (const [key, field] of entries.slice(0, most)) {
    const old = before !== null && typeof before === 'object' ? Object.hasOwn(before, key) ? before[key] : { $undefined: true } : undefined;
    list.append(view(field, { before: old, open, path: `${path}/${key}`, name: key.replace(/^\$\$/, '$') }));
  }
  if (entries.length > most) list.append(el('p', { class: 'fade' }, `and ${entries.length - most} more`));
  return list;
}

function grid(value, before) {
  const old = isGrid(before) ? before : null;
  return el('div', { class: 'wide' }, el('table', { class: 'grid' }, el('tbody', {}, value.map((row, y) =>
    el('tr', {}, row.map((cell, x) => {
      const changed = old && !same(cell, old[y]?.[x]);
      return el('td', { class: changed ? 'changed' : null, title: changed ? joined`before: ${write(old[y]?.[x])}` : null }, write(cell));
    }))))));
}
