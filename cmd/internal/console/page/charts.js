// The charts with their versions, and the migration of sessions.

import { $, el, count, joined } from './inspect/dom.js';
import { ask, attempt } from './ask.js';
import * as api from './api.js';

const short = hash => hash.slice(0, 12);

export class Charts {
  #charts = [];
  #counts = [];
  #rehearsed = null; // what was rehearsed without an unfit session, as text

  constructor() {
    $('#migrate-chart').addEventListener('change', () => this.#choose());
    $('#migrate').addEventListener('input', () => this.#allow(null));
    $('#migrate').addEventListener('submit', attempt(async event => {
      event.preventDefault();
      await this.#migrate(event.submitter?.value !== 'move');
    }));
  }

  async open() {
    this.#charts = await api.charts();
    $('#migrate').hidden = this.#charts.length === 0;
    $('#migrate-chart').replaceChildren(...this.#charts.map(chart => el('option', { value: chart.name }, chart.name)));
    this.#choose();
    this.#draw();
  }

  count({ counts }) {
    this.#counts = counts;
    this.#draw();
  }

  #draw() {
    const sessions = (chart, hash, wanted) => this.#counts.filter(one => one.chart === chart && one.hash === hash && wanted(one.status)).reduce((sum, one) => sum + one.sessions, 0);
    const rows = this.#charts.flatMap(chart => chart.versions.map(hash => el('tr', {},
      el('td', {}, el('a', { href: `#/?chart=${encodeURIComponent(chart.name)}` }, chart.name)),
      el('td', {}, el('code', {}, short(hash)), hash === chart.hash ? ' new sessions' : ''),
      el('td', {}, count(sessions(chart.name, hash, status => status === 'running' || status === 'suspended'))),
      el('td', {}, count(sessions(chart.name, hash, status => status === 'final' || status === 'stopped'))))));
    $('#versions').replaceChildren(el('table', {}, el('caption', { class: 'unseen' }, 'Versions of charts'),
      el('thead', {}, el('tr', {}, ['Chart', 'Version', 'Running or suspended', 'Ended'].map(name => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows)));
  }

  #choose() {
    const chart = this.#charts.find(one => one.name === $('#migrate-chart').value);
    if (!chart) return;
    const options = chart.versions.map(hash => el('option', { value: hash }, short(hash)));
    $('#migrate-from').replaceChildren(el('option', { value: '' }, 'all other versions'), ...options);
    $('#migrate-to').replaceChildren(el('option', { value: '' }, `that of new sessions (${short(chart.hash)})`), ...options.map(option => option.cloneNode(true)));
    $('#migrated').replaceChildren();
    this.#allow(null);
  }

  #allow(rehearsed) {
    this.#rehearsed = rehearsed;
    $('#migrate-go').disabled = rehearsed === null;
  }

  async #migrate(rehearse) {
    const chart = $('#migrate-chart').value;
    const states = {};
    for (const line of $('#migrate-states').value.split('\n')) {
      if (!line.trim()) continue;
      const [from, to] = line.split('=').map(name => name.trim());
      if (!from || !to) throw new Error(`"${line.trim()}" does not rename a state: want old = new`);
      states[from] = to;
    }
    const body = { from: $('#migrate-from').value, to: $('#migrate-to').value, states, script: $('#migrate-script').value };
    const asked = JSON.stringify([chart, body]);
    if (!rehearse && this.#rehearsed !== asked) return;
    if (!rehearse && !await ask({
      title: joined`Migrate sessions of ${chart}?`, yes: 'Migrate',
      text: 'All sessions that the rehearsal has tried move to the other version. They keep their states, data, inboxes and timers. If one does not fit by then, none moves.',
    })) return;
    $('#migrated').textContent = rehearse ? 'Rehearsing…' : 'Migrating…';
    let report;
    try {
      report = await api.migrate(chart, { ...body, try: rehearse });
    } catch (error) {
      if (error.said?.code !== 'unfit') {
        $('#migrated').textContent = '';
        throw error;
      }
      report = error.said;
    }
    this.#allow(rehearse && report.unfit.length === 0 && report.tried > 0 ? asked : null);
    const sessions = n => `${count(n)} session${n === 1 ? '' : 's'}`;
    const first = !rehearse ? `${sessions(report.migrated)} moved.` :
      report.tried === 0 ? 'No session has such a version.' :
        report.unfit.length === 0 ? `All ${sessions(report.tried)} fit. Nothing has changed yet.` :
          `${sessions(report.tried - report.fit)} of ${count(report.tried)} would not fit. Nothing has changed.`;
    $('#migrated').replaceChildren(el('p', {}, first), el('ul', {}, report.unfit.map(one =>
      el('li', {}, el('a', { href: `#/session/${encodeURIComponent(one.key)}` }, one.key), el('span', { class: 'trouble' }, ` ${one.error}`)))));
  }
}
