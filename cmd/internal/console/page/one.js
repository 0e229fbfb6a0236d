// One session, as it changes.

import { $, el, joined, latest, listed, place, setText } from './inspect/dom.js';
import { Data, Waiting } from './inspect/data.js';
import { Picture } from './inspect/picture.js';
import { same } from './inspect/values.js';
import { ask, attempt } from './ask.js';
import * as api from './api.js';

// What an operator can do: when, and what happens. It is asked for first, unless nothing happens to the session.
const actions = [
  { name: 'Try on a copy', at: 'once', when: one => one.copyable, does: async key => {
    const id = await api.openCopy(key);
    location.href = `copy/?${new URLSearchParams({ id, key })}`;
  } },
  { name: 'Retry', when: one => one.failure, title: key => joined`Retry ${key}?`, text: one => joined`It tries ${one.failure.what} again at once, with three attempts anew.`, does: key => api.operate(key, 'retry') },
  { name: 'Skip…', bad: true, when: one => one.failure, title: key => joined`Skip what has failed in ${key}?`, text: one => joined`${one.failure.what} is dropped and never happens. The session continues with what comes after it.`, does: key => api.operate(key, 'skip') },
  { name: 'Suspend', when: one => one.status === 'running', title: key => joined`Suspend ${key}?`, text: () => 'It accepts events but processes nothing, and its timers wait, until it is resumed.', does: key => api.operate(key, 'suspend') },
  { name: 'Resume', when: one => one.status === 'suspended', title: key => joined`Resume ${key}?`, text: one => `It processes what waits: ${one.inbox} events in its inbox, and what is due.`, does: key => api.operate(key, 'resume') },
  { name: 'Stop…', bad: true, when: one => one.status === 'running' || one.status === 'suspended', title: key => joined`Stop ${key}?`, text: one => `Its onexit handlers run and it ends for good. The ${one.inbox} events in its inbox have no effect. Its record stays.`, does: key => api.operate(key, 'stop') },
  { name: 'Delete…', bad: true, when: () => true, title: key => joined`Delete ${key}?`, text: one => `The session, its data and its log are removed at once, and cannot be brought back. Nothing of the chart runs. The ${one.outbox} tasks in its outbox are not done.`, does: async key => {
    await api.remove(key);
    location.hash = '#/';
  } },
];

const again = next => next ? ` It is tried again at ${new Date(next).toLocaleTimeString()}.` : '';
const failed = (what, attempts, message, next) => joined`${what}failed ${attempts} time${attempts === 1 ? '' : 's'}: ${message}.${again(next)}`;
const title = task => task.target ? joined`message to ${task.target}` : task.kind === 'send' ? 'message' : task.kind;

// stuck says why a session does not do what it should, or is empty.
function stuck({ broken, failure, failing, status }) {
  if (broken) return joined`The session cannot be restored: ${broken}`;
  if (failure) return failed(joined`${failure.what} `, failure.attempts, failure.message, failure.next);
  if (status === 'suspended') return 'The session is suspended by an operator.';
  return failing ? failed(joined`A ${title(failing)} `, failing.attempts, failing.error, failing.next) : '';
}

const says = entry => listed(entry.steps.map(step => listed([step.kind, step.event].filter(Boolean), ' ')));

export class One {
  #key = null;
  #abort = null;
  #now = null; // the session
  #drawn = ''; // the picture
  #entries = [];
  #chosen = null; // an entry whose configuration is shown
  #before = null; // data
  #lost;
  #picture = new Picture(() => {});
  #data = new Data();
  #waiting = new Waiting();

  constructor({ lost }) {
    this.#lost = lost;
    $('#send-event').addEventListener('submit', event => {
      event.preventDefault();
      this.#send(event.submitter?.value ?? 'send');
    });
    setInterval(() => this.#now && this.#waiting.count(Date.now()), 500);
  }

  close() {
    this.#abort?.abort();
    this.#key = this.#now = this.#chosen = this.#before = null;
  }

  async open(key) {
    this.#key = key;
    this.#abort = new AbortController();
    this.#entries = [];
    setText($('#one-key'), key);
    for (const id of ['#actions', '#past', '#outbox']) $(id).replaceChildren();
    $('#said').textContent = '';
    $('#failure').hidden = true;
    const { signal } = this.#abort;
    await this.#load();
    if (signal.aborted) return;
    this.#entries = await api.log(key);
    this.#drawLog();
    const last = this.#entries.at(-1)?.revision ?? 0;
    api.watch(key, last, {
      signal, lost: this.#lost,
      change: entry => {
        this.#entries.push(entry);
        this.#drawLog();
        this.#refresh();
      },
      end: reason => {
        if (!signal.aborted) this.#fail(joined`The session is gone: ${reason}.`);
      },
    });
    const poll = setInterval(() => document.hidden || this.#refresh(), 5000); // accepting an event is not in the log
    signal.addEventListener('abort', () => clearInterval(poll));
  }

  #refresh = latest(attempt(async () => {
    try {
      if (this.#key !== null) await this.#load();
    } catch (error) {
      if (error.status !== 404) throw error;
      this.#fail('The session is gone: it was deleted.');
    }
  }), 100);

  #fail(text) {
    setText($('#failure'), text);
    $('#failure').hidden = false;
    $('#actions').replaceChildren();
  }

  async #load() {
    const key = this.#key;
    const [one, inbox, outbox, timers] = await Promise.all([api.session(key), api.inbox(key), api.outbox(key), api.timers(key)]);
    if (key !== this.#key) return;
    const before = this.#now;
    this.#now = one;
    if (before && before.revision !== one.revision) this.#before = before.data ?? null;
    await this.#drawPicture(one);
    this.#draw(one, inbox, outbox, timers);
  }

  async #drawPicture(one) {
    const id = `${one.chart}/${one.hash}`;
    if (id === this.#drawn) return;
    let svg = null;
    try {
      svg = await api.picture(one.chart, one.hash);
    } catch (error) {
      setText($('#no-picture'), error.message);
    }
    $('#picture').hidden = $('#zoom').hidden = svg === null;
    $('#no-picture').hidden = svg !== null;
    if (svg !== null) this.#picture.load(svg, one.chart);
    this.#drawn = id;
  }

  #draw(one, inbox, outbox, timers) {
    setText($('#one-status'), one.status);
    $('#one-status').dataset.status = one.status;
    setText($('#one-chart'), joined`${one.chart}, version ${one.hash.slice(0, 12)}`);
    const trouble = stuck(one);
    $('#failure').hidden = !trouble;
    setText($('#failure'), trouble);
    const possible = actions.filter(action => action.when(one));
    const names = possible.map(action => action.name).join();
    if ($('#actions').dataset.names !== names || !$('#actions').hasChildNodes()) {
      $('#actions').dataset.names = names;
      $('#actions').replaceChildren(...possible.map(action => el('button', { class: action.bad ? 'danger' : null, onclick: attempt(() => this.#act(action)) }, action.name)));
    }
    this.#light();
    place($('#events'), one.enabled.filter(event => event !== '*').map(event => el('option', { value: event.replace(/\.?\*$/, '') })));
    $('#sending').hidden = one.status !== 'running' && one.status !== 'suspended';
    const data = Object.entries(one.data ?? {}).map(([name, value]) => {
      const old = this.#before && Object.hasOwn(this.#before, name) ? this.#before[name] : undefined;
      return { name, value, changed: this.#before !== null && !same(old, value), before: old };
    });
    this.#data.show({ data, sessions: [], event: null });
    this.#waiting.show({
      queue: 'Inbox',
      external: inbox.map(event => ({ name: event.name, data: event.data })), internal: [], sessions: [], history: [],
      timers: timers.map(timer => ({ name: timer.event ?? 'a delayed event', due_ms: Date.parse(timer.due), delay_ms: 60000 })),
    }, null);
    this.#waiting.count(Date.now());
    $('#outbox').replaceChildren(...outbox.length === 0 ? [el('p', { class: 'fade' }, 'nothing waits')] : [el('ul', { class: 'plain' }, outbox.map(task =>
      el('li', {}, el('b', {}, title(task)), el('span', { class: task.error ? 'trouble' : 'fade' },
        task.error ? failed('', task.attempts, task.error, task.next) : `since ${new Date(task.since).toLocaleTimeString()}`))))]);
  }

  // #light lights the configuration: the present one, or that after an entry of the log.
  #light() {
    const active = this.#chosen?.configuration ?? this.#now.configuration;
    this.#picture.light({ active, taken: [], would: [] });
    this.#picture.follow(active);
    setText($('#active'), joined`${this.#chosen ? 'Then' : 'Active'}: ${active.length > 0 ? listed(active) : 'no state'}`);
  }

  #drawLog() {
    const items = this.#entries.slice(-200).reverse().map(entry => {
      const steps = listed(entry.steps.flatMap(step => [
        step.entered && joined`entered ${listed(step.entered)}`, step.sent && joined`sent ${listed(step.sent)}`, step.note,
        step.errors && joined`error ${listed(step.errors, '; ')}`,
      ]).filter(Boolean), '; ');
      const bad = entry.steps.some(step => step.errors || step.kind === 'failure' || step.kind === 'suspend');
      const choose = () => {
        this.#chosen = this.#chosen === entry || !entry.configuration ? null : entry;
        for (const item of items) item.removeAttribute('aria-current');
        if (this.#chosen) node.setAttribute('aria-current', 'true');
        this.#light();
      };
      const node = el('li', { 'aria-current': this.#chosen === entry ? 'true' : null, onclick: choose },
        el('time', { datetime: entry.time }, new Date(entry.time).toLocaleTimeString()), el('button', { 'aria-label': joined`Show the configuration after ${says(entry)}` }, says(entry)), el('span', { class: bad ? 'bad' : 'fade' }, steps));
      return node;
    });
    $('#past').replaceChildren(...items.length ? items : [el('p', { class: 'fade' }, 'nothing has happened')]);
  }

  async #act({ name, at, title, text, does }) {
    const key = this.#key;
    if (at === 'once') return does(key);
    if (!await ask({ title: title(key), text: text(this.#now), yes: name.replace('…', '') })) return;
    await does(key);
    this.#refresh();
  }

  async #send(what) {
    const said = $('#said');
    try {
      const text = $('#event-data').value.trim();
      const body = { name: $('#event').value.trim() };
      if (text) body.data = JSON.parse(text);
      if (what === 'try') {
        const trial = await api.tryEvent(this.#key, body);
        const text = trial.handled ? joined`${body.name} ${trial.certain ? 'would' : 'might'} take: ${trial.candidates.length > 0 ? listed(trial.candidates, '; ') : 'a transition'}` : joined`${body.name} would do nothing.`;
        setText(said, text);
      } else {
        const receipt = await api.send(this.#key, body);
        setText(said, joined`${body.name} was accepted at position ${receipt.position}.`);
        this.#refresh();
      }
      said.className = '';
    } catch (error) {
      said.className = 'bad';
      setText(said, error instanceof SyntaxError ? joined`The data are not JSON: ${error.message}` : error.message);
    }
  }
}
