// What happened in a step: cause, records and effects.

import { source } from './api.js';
import { $, el, joined, listed, time } from './dom.js';
import { isUndefined, same, write } from './values.js';

const payload = data => isUndefined(data) ? null : el('code', { class: 'fade' }, joined` ${write(data, 80)}`);
const at = record => {
  if (!record.at) return null;
  return source ? el('button', { class: 'text at', title: 'Show it in the document', onclick: () => source(record.at, true) }, record.at) : el('span', { class: 'at' }, record.at);
};
const state = name => el('b', {}, name);

// How each record reads: sign, class and text.
const texts = {
  event: r => ['→', '', ['takes ', el('b', {}, r.name), payload(r.data)]],
  cond: r => [r.value ? '✓' : '✗', 'fade', [el('code', {}, r.cond), r.message ? joined` failed: ${r.message}` : r.value ? ' holds' : ' does not hold', at(r)]],
  unhandled: r => ['∅', 'fade', [joined`nothing is enabled by ${r.name}`]],
  microstep: r => ['', 'head', [r.event ? joined`Microstep: ${r.event}` : r.transitions ? 'Microstep without an event' : 'Start']],
  exit: r => ['◁', '', ['exits ', state(r.state)]],
  transition: r => ['⤳', '', [state(r.source), r.targets?.length ? ' → ' : ' stays', listed(r.targets ?? []), r.events?.length ? el('span', { class: 'fade' }, joined` on ${listed(r.events, ' ')}`) : null, at(r)]],
  enter: r => ['▷', 'enter', ['enters ', state(r.state)]],
  raise: r => ['↻', '', ['raises ', el('b', {}, r.name), payload(r.data)]],
  send: r => ['↗', '', ['sends ', el('b', {}, r.name), payload(r.data), r.target ? joined` to ${r.target}` : '', r.delay_ms ? ` in ${time(r.delay_ms)}` : '']],
  timer: r => ['◷', '', ['is due: ', el('b', {}, r.name), payload(r.data)]],
  cancel: r => ['⌧', '', [joined`cancels ${r.sendid} (${r.count})`]],
  invoke: r => ['⧉', '', ['invokes ', el('b', {}, r.invokeid), r.chart ? joined`, ${r.chart}` : null]],
  cancelinvoke: r => ['⧉', '', ['ends ', el('b', {}, r.invokeid)]],
  log: r => ['“', '', [r.label ? joined`${r.label}: ` : '', el('code', {}, write(r.value, 200))]],
  error: r => ['⚠', 'bad', [el('b', {}, r.name), joined` ${r.message ?? ''}`, at(r)]],
  done: r => ['■', '', [`ends: ${r.reason}`, r.final ? joined` in ${r.final}` : '', payload(r.data)]],
};

export class Step {
  #head = $('#step-head');
  #body = $('#step .body');
  #choose;
  #shown = null;

  constructor(choose) {
    this.#choose = choose;
  }

  show(position) {
    const { row, records, led_to: effects } = position;
    const shown = [position.n, position.time_ms, row, records, effects];
    if (same(shown, this.#shown)) return; // a link keeps its focus
    this.#shown = shown;
    this.#head.textContent = `Step ${position.n}`;
    const list = el('ol', { class: 'records' });
    for (const record of records) {
      const text = texts[record.type];
      if (!text) continue; // stable, idle, and what later versions add
      const [sign, name, parts] = text(record);
      list.append(el('li', { class: name || null }, el('i', { 'aria-hidden': 'true' }, sign), el('span', {}, parts)));
    }
    this.#body.replaceChildren(
      el('p', { class: 'lead' }, row.event ? el('b', {}, row.event) : row.kind, row.session ? joined` in ${row.session}` : null, ` at ${time(position.time_ms)}`),
      row.cause ? el('p', { class: 'link' }, 'because of ', this.#link(row.cause.n, row.cause.text)) : '',
      list,
      effects.length === 0 ? '' : el('p', { class: 'link' }, 'led to ', effects.flatMap(({ n, event }, i) => [i ? ', ' : '', this.#link(n, event)])),
    );
  }

  #link(n, text) {
    return el('button', { class: 'text', onclick: () => this.#choose(n) }, joined`${n} ${text}`);
  }
}
