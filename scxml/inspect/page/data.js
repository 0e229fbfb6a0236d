// The panels for the data, and for what waits: queues, timers, invoked sessions and
// what histories remember.

import { $, el, joined, listed, place, setText, time } from './dom.js';
import { view, write, isUndefined, same } from './values.js';

export class Data {
  #body = $('#data .body');
  #open = new Set();
  #items = new Map(); // path → what is shown and its element

  show(position) {
    const groups = [['', position.data], ...position.sessions.map(one => [one.invokeid, one.data])];
    const old = this.#items;
    this.#items = new Map();
    const nodes = [];
    if (position.event) nodes.push(this.#item(old, '_event', '_event', { value: position.event }));
    for (const [owner, data] of groups) {
      if (owner) nodes.push(el('h3', {}, owner));
      for (const item of data) nodes.push(this.#item(old, `${owner}/${item.name}`, item.name, item));
    }
    if (nodes.length === 0) nodes.push(el('p', { class: 'fade' }, 'no data'));
    place(this.#body, nodes); // what is the same keeps its focus, and what is selected in it
  }

  #item(old, path, name, item) {
    const before = item.changed ? item.before ?? { $undefined: true } : undefined;
    const shown = old.get(path);
    const kept = shown && same(shown.value, item.value) && same(shown.before, before);
    const node = kept ? shown.node : item.message ? el('div', { class: 'item' }, el('span', { class: 'key' }, name), el('span', { class: 'fade' }, item.message)) : view(item.value, { name, before, open: this.#open, path });
    this.#items.set(path, { value: item.value, before, node });
    return node;
  }
}

export class Waiting {
  #body = $('#waiting .body');
  #timers = [];
  #text = '';

  // act(what, body) does something to the session; null if nothing can be done.
  show(position, act) {
    const { queue = 'External queue', external, internal, timers, sessions, history } = position;
    const text = JSON.stringify([external, internal, timers, sessions.map(one => [one.invokeid, one.chart, one.atomic]), history, Boolean(act)]);
    if (text === this.#text) return;
    this.#text = text;
    this.#timers = [];
    const nodes = [];
    const section = (title, items) => {
      if (items.length) nodes.push(el('h3', {}, title), el('ul', { class: 'plain' }, items));
    };
    const event = one => el('li', {}, el('b', {}, one.name), isUndefined(one.data) ? null : el('code', { class: 'fade' }, joined` ${write(one.data, 60)}`));
    section(queue, external.map(event));
    section('Internal queue', internal.map(event));
    section('Timers', timers.map(timer => {
      const left = el('span', { class: 'left' });
      const meter = el('progress', { max: Math.max(1, timer.delay_ms ?? 1), value: 0, 'aria-label': `time until ${timer.name}` });
      this.#timers.push({ timer, left, meter });
      return el('li', { class: 'timer' }, el('b', {}, timer.name), left, meter,
        act && timer.sendid ? el('button', { class: 'small', onclick: () => act('cancel', { sendid: timer.sendid }) }, 'Cancel') : null);
    }));
    section('Invoked sessions', sessions.map(one => el('li', {}, el('b', {}, one.invokeid), el('span', { class: 'fade' }, joined` ${one.chart} in ${listed(one.atomic)}`))));
    section('Remembered by histories', history.map(one => el('li', {}, el('b', {}, one.state), el('span', { class: 'fade' }, listed(one.value)))));
    if (nodes.length === 0) nodes.push(el('p', { class: 'fade' }, 'nothing waits'));
    this.#body.replaceChildren(...nodes);
  }

  // count counts the timers down to a moment of chart time.
  count(now) {
    for (const { timer, left, meter } of this.#timers) {
      const rest = Math.max(0, timer.due_ms - now);
      setText(left, span(rest));
      meter.value = Math.max(0, meter.max - rest);
    }
  }
}

// span writes how long something takes: as exactly as one can use it.
function span(ms) {
  if (ms < 10000) return `${(ms / 1000).toFixed(1)} s`;
  const s = Math.ceil(ms / 1000);
  if (s < 100) return `${s} s`;
  const [days, hours, minutes, seconds] = [Math.floor(s / 86400), Math.floor(s / 3600) % 24, Math.floor(s / 60) % 60, s % 60];
  if (days > 0) return `${days} d ${hours} h`;
  const two = n => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
