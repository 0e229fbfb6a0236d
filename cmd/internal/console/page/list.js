// The list of sessions: counted, searched, a page at a time.

import { $, el, count, joined, latest, place, setText } from './inspect/dom.js';
import { attempt } from './ask.js';
import * as api from './api.js';

const perPage = 100;
const kinds = {
  suspended: 'Suspended', failing: 'A step fails', full: 'Inbox full', late: 'Timer late', waiting: 'Event waits', delivery: 'Delivery fails',
};

export class List {
  #values = {};
  #rows = new Map(); // key → what is shown and its row

  constructor() {
    $('#trouble').append(el('option', { value: '' }, 'Stuck or not'), el('option', { value: 'any' }, 'Stuck'),
      ...Object.entries(kinds).map(([value, name]) => el('option', { value }, name)));
    $('#search').addEventListener('submit', event => event.preventDefault());
    const changed = latest(async () => this.#go(), 200);
    $('#search').addEventListener('input', changed);
    $('#first').addEventListener('click', () => this.#go());
  }

  // #go shows the first page of what the form asks for, by the address.
  #go(after = '') {
    const trouble = $('#trouble').value;
    const values = { text: $('#text').value.trim(), chart: $('#of-chart').value, status: $('#in-status').value, stuck: trouble === 'any' ? 'true' : '', trouble: trouble === 'any' ? '' : trouble, after };
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
    const hash = `#/${query.size ? `?${query}` : ''}`;
    if (after) location.hash = hash; // a page more is a step back less
    else {
      history.replaceState(null, '', hash);
      dispatchEvent(new HashChangeEvent('hashchange'));
    }
  }

  async open(values) {
    this.#values = Object.fromEntries(values);
    const charts = await api.charts();
    place($('#of-chart'), [el('option', { value: '' }, 'Any chart'), ...charts.map(chart => el('option', { value: chart.name }, chart.name))]);
    const set = (id, value) => { if ($(id) !== document.activeElement) $(id).value = value ?? ''; };
    set('#text', values.get('text'));
    $('#of-chart').value = values.get('chart') ?? '';
    $('#in-status').value = values.get('status') ?? '';
    $('#trouble').value = values.get('trouble') ?? (values.get('stuck') ? 'any' : '');
    await this.#load();
  }

  again() { this.#reload(); }
  #reload = latest(attempt(() => this.#load()));

  async #load() {
    const asked = this.#values;
    const { sessions, next, total } = await api.find({ ...asked, limit: perPage });
    if (asked !== this.#values) return;
    setText($('#total'), total === 0 ? 'No session is like that.' : `${count(total)} session${total === 1 ? '' : 's'}${total > sessions.length ? `, ${count(sessions.length)} shown` : ''}`);
    const old = this.#rows;
    this.#rows = new Map();
    place($('#found tbody'), sessions.map(one => {
      const text = JSON.stringify(one);
      const shown = old.get(one.key);
      const row = shown?.text === text ? shown.row : this.#row(one);
      this.#rows.set(one.key, { text, row });
      return row;
    }));
    $('#found').hidden = total === 0;
    $('#first').hidden = !asked.after;
    $('#next').hidden = !next;
    $('#next').onclick = () => this.#go(next);
  }

  #row(one) {
    return el('tr', {},
      el('td', {}, el('a', { href: `#/session/${encodeURIComponent(one.key)}` }, one.key)),
      el('td', {}, one.chart),
      el('td', {}, el('span', { class: 'chip', 'data-status': one.status }, one.status)),
      el('td', { class: 'n', 'data-name': 'inbox' }, count(one.inbox)),
      el('td', { class: 'n', 'data-name': 'outbox' }, count(one.outbox)),
      el('td', { class: 'trouble' }, one.troubles.map(trouble => el('div', { title: trouble.since ? `since ${new Date(trouble.since).toLocaleString()}` : null }, el('b', {}, kinds[trouble.kind]), joined`: ${trouble.note}`))));
  }

  // count shows how many sessions there are in each status and trouble.
  count({ counts, troubles, stuck, complete }) {
    const by = {};
    for (const one of counts) by[one.status] = (by[one.status] ?? 0) + one.sessions;
    const tile = (name, n, href, bad) => el('a', { class: bad && n > 0 ? 'count bad' : 'count', href }, el('b', {}, count(n)), el('span', {}, name));
    const tiles = ['running', 'suspended', 'final', 'stopped'].map(status => tile(status, by[status] ?? 0, `#/?status=${status}`, status === 'suspended'));
    for (const [kind, n] of Object.entries(troubles)) {
      if (n > 0 && kind !== 'suspended') tiles.push(tile(kinds[kind].toLowerCase(), n, `#/?trouble=${kind}`, true));
    }
    if (!complete) tiles.push(el('p', { class: 'fade' }, 'The sessions are still being counted.'));
    const text = tiles.map(one => one.outerHTML).join();
    if (this.counted !== text) $('#counts').replaceChildren(...tiles);
    this.counted = text;
    setText($('#stuck-count'), stuck ? count(stuck) : '');
  }
}
