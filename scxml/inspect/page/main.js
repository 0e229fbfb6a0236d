// The page: which session and which of its steps are shown, and who draws them.

import * as api from './api.js';
import { $, el, joined, listed, setText, visible, onFrame, latest, time, count } from './dom.js';
import { Data, Waiting } from './data.js';
import { Log, effect } from './log.js';
import { Outline, Picture } from './picture.js';
import { Rows } from './rows.js';
import { Send } from './forms.js';
import { Sessions, status } from './sessions.js';
import { Step } from './step.js';

// What is shown. at is the chosen step; null means the end, live.
const now = {
  sessions: [], readonly: false, token: '', session: null, chart: null,
  first: 0, length: 0, at: null, rows: null, position: null, would: [], // steps before first are forgotten
  ms: 0, since: 0, // chart time, and when it was so
};
let stopListening = () => {};

const picture = new Picture(({ state, transition }) => {
  const found = now.chart.transitions.find(one => one.id === transition) ?? now.chart.states.find(one => one.name === state);
  if (found) api.source?.(found.at);
  const events = found?.events ?? [];
  if (events.length > 0 && send.focus(events) && getComputedStyle($('#panes')).display !== 'none') showPane('send');
});
api.pointed?.(at => {
  const there = one => one.at?.endsWith(`:${at}`);
  picture.point({ state: now.chart?.states.find(there)?.name, transition: now.chart?.transitions.find(there)?.id });
});
const outline = new Outline();
const log = new Log((n, live) => choose(live ? null : n));
const sessions = new Sessions(open, attempt(closeBranch));
const step = new Step(choose);
const data = new Data();
const waiting = new Waiting();
const send = new Send({
  send: (event, data) => act('send', { event, data }),
  act,
  try: (event, data) => api.act(now.session.id, 'try', { at: now.at, event, data }),
  would: transitions => {
    now.would = transitions;
    draw();
  },
});

// choose shows step n, or the end if it is null.
function choose(n) {
  now.at = n === null ? null : Math.min(Math.max(n, now.first), now.length - 1);
  now.would = [];
  draw();
  refresh();
  remember();
}

// isPast tells whether an earlier step is shown.
const isPast = () => now.at !== null && now.at < now.length - 1;

// act does something to the session: to a branch, if an earlier step is shown.
async function act(what, body) {
  let id = now.session.id;
  if (!isPast()) {
    choose(null);
  } else {
    const branch = await api.act(id, 'branch', { at: now.at });
    now.sessions = [...now.sessions.filter(one => one.id !== branch.id), branch];
    id = branch.id;
    await open(id);
  }
  await api.act(id, what, body);
}

// open shows a session, at step at or at its end.
async function open(id, at = null) {
  stopListening();
  const rows = new Rows((from, count) => api.rows(id, from, Math.min(count, now.length - from)), draw);
  Object.assign(now, { session: now.sessions.find(one => one.id === id) ?? null, at, rows, position: null, chart: null, first: 0, length: 0, would: [] });
  stopListening = api.listen(id, { sessions: list => gotSessions(list), tick, lost });
  const [chart, svg] = await Promise.all([api.chart(id), api.picture(id)]);
  if (now.rows !== rows) return; // another one has been opened since
  $('#notice').hidden = true;
  const parents = new Set(chart.states.map(state => state.parent));
  chart.atomic = new Set(chart.states.filter(state => !parents.has(state.name) && state.kind !== 'history').map(state => state.name));
  now.chart = chart;
  picture.load(svg, chart.name);
  outline.load(chart);
  draw();
  refresh();
  remember();
}

// closeBranch drops a branch. If it is shown, what it is a branch of is shown first, so that nothing asks
// for it any more.
async function closeBranch(id) {
  const of = now.sessions.find(one => one.id === id)?.branch.of;
  if (now.session?.id === id && now.sessions.some(one => one.id === of)) await open(of);
  await api.act(id, 'close');
}

// gotSessions takes a new list. If the session that was shown is not in it, or
// none was, another is opened.
function gotSessions(answer, wanted, at = null) {
  const { sessions: before, session: shown } = now;
  now.sessions = answer.sessions;
  now.readonly = answer.readonly;
  now.token = answer.token;
  now.session = now.sessions.find(one => one.id === shown?.id) ?? shown;
  const gone = shown && before.includes(shown) && !now.sessions.includes(now.session);
  if (now.sessions.length > 0 && (gone || !now.rows)) {
    open(now.sessions.some(one => one.id === wanted) ? wanted : now.sessions[0].id, at).catch(complain);
  }
  draw();
}

function tick({ session, first, length, now_ms: ms, rows }) {
  if (session !== now.session?.id) return;
  if (length < now.length) { // another program has taken the place of the one before
    open(session).catch(complain);
    return;
  }
  if (now.at >= length) now.at = null; // of an address
  if (now.at !== null && now.at < first) now.at = first;
  Object.assign(now, { first, length, ms, since: performance.now() });
  now.rows.add(rows);
  draw();
  if (now.position === null) refresh();
  else refreshLive();
}

// load asks for the step that is shown.
async function load() {
  const { session, at, rows } = now;
  if (!session || !now.chart || now.length === 0) return;
  try {
    const position = await api.position(session.id, at);
    if (now.rows !== rows || now.at !== at) return;
    now.position = position;
    if (position.row) rows.add([position.row]);
    draw();
  } catch (error) {
    if (now.rows === rows) complain(error);
  }
}
const refresh = latest(load);
const refreshLive = latest(async () => {
  if (now.at === null) await load();
}, 100);

const draw = onFrame(() => {
  const { session, chart, at, position, first, length, rows } = now;
  sessions.show(now.sessions, session?.id);
  if (!session || !chart) return;
  drawHead();
  if (length === 0) return;
  const n = at ?? length - 1;
  const row = rows.get(n) ?? (position?.n === n ? position.row : null);
  if (row) {
    const lights = { active: row.active, taken: row.transitions, would: now.would };
    const atomic = row.active.filter(name => chart.atomic.has(name));
    picture.light(lights);
    const entered = row.enter.filter(name => chart.atomic.has(name));
    picture.follow(entered.length > 0 ? entered : atomic);
    if (!$('#outline').hidden) outline.light(lights);
    setText($('#active'), atomic.length > 0 ? listed(atomic) : 'no state is active');
    tell(n, row, chart);
  }
  log.show({ first, length, at, rows, chart });
  drawTime(n, row);
  if (position) drawDetails();
});

// drawDetails draws the panels about the step, if there is something new.
let drawn = [];
function drawDetails() {
  const { session, position } = now;
  const past = isPast();
  const ended = session.status !== 'running' && !past;
  const readonly = now.readonly || (session.readonly && !past); // a branch of it can be sent to
  const shown = [position, session.id, session.clock, past, ended, readonly];
  if (shown.every((one, i) => one === drawn[i])) return;
  drawn = shown;
  step.show(position);
  data.show(position);
  waiting.show(position, readonly || past || ended ? null : (what, body) => act(what, body).catch(complain));
  send.show(position.forms, { past, ended, readonly, virtual: past || session.clock === 'virtual' });
  drawClock();
}

function drawTime(n, row) {
  const slider = $('#slider');
  slider.min = now.first;
  slider.max = now.length - 1;
  if (slider.valueAsNumber !== n) slider.value = n;
  slider.setAttribute('aria-valuetext', `step ${n} of ${now.length - 1}${row?.event ? `, ${row.event}` : ''}`);
  setText($('#place'), `${count(n)} / ${count(now.length - 1)}`);
  $('#live').setAttribute('aria-pressed', now.at === null);
  for (const button of document.querySelectorAll('[data-step]')) {
    button.disabled = button.dataset.step === 'forward' ? n >= now.length - 1 : n <= now.first;
  }
}

function drawHead() {
  const { session, chart } = now;
  const name = session.name || chart.name || chart.file;
  setText($('#title'), session.branch ? joined`${name}, branch at ${session.branch.at}` : name);
  const title = String(joined`${visible(name, 200)} – Inspector`);
  if (document.title !== title) document.title = title;
  setText($('#status'), status(session));
  $('#status').dataset.status = session.status;
  $('#readonly').hidden = !(now.readonly || session.readonly);
}

// drawClock draws what counts with the time.
function drawClock() {
  const { session, position, at } = now;
  if (!position || !session) return;
  const runs = at === null && session.status === 'running' && session.clock === 'real';
  const ms = at !== null ? position.time_ms : runs ? now.ms + performance.now() - now.since : Math.max(now.ms, position.time_ms);
  setText($('#clock'), time(runs ? Math.floor(ms / 100) * 100 : ms));
  waiting.count(ms);
}
setInterval(() => document.hidden || drawClock(), 100);

// tell says what has happened to a screen reader: not more often than it can be
// heard.
let told = { chart: null, n: -1 };
const tell = latest(async (n, row, chart) => {
  if (n === told.n && chart === told.chart) return;
  const by = chart === told.chart && now.at === null ? n - told.n : 0;
  told = { chart, n };
  const atomic = listed(row.active.filter(name => chart.atomic.has(name)));
  setText($('#say'), joined`${by > 1 ? `${count(by)} steps. ` : ''}Step ${n}: ${row.event ?? row.kind}, ${effect(row, chart)}. Active: ${atomic}`);
}, 1000);

// remember keeps the session and the step in the address, so that it can be
// reloaded and shared.
const remember = latest(async () => {
  history.replaceState(null, '', `#${address()}`);
}, 300);

function address(token) {
  const place = new URLSearchParams();
  if (token) place.set('token', token);
  if (now.session) place.set('session', now.session.id);
  if (now.at !== null) place.set('step', now.at);
  return place;
}

// showPane shows one of the panes of a small screen.
function showPane(name) {
  document.body.dataset.pane = name;
  for (const button of document.querySelectorAll('#panes button')) {
    if (button.dataset.pane === name) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
  draw();
}

function lost(why) {
  setText($('#lost'), why);
  $('#lost').hidden = !why;
}

function complain(error) {
  const notice = $('#notice');
  notice.replaceChildren(visible(error.message, 2000, true), el('button', { class: 'icon', 'aria-label': 'Close', onclick: () => { notice.hidden = true; } }, '×'));
  notice.hidden = false;
}

function attempt(work) {
  return (...args) => Promise.resolve(work(...args)).catch(complain);
}

$('#slider').addEventListener('input', event => choose(event.target.valueAsNumber));
$('#live').addEventListener('click', () => choose(now.at === null ? now.length - 1 : null));
for (const button of document.querySelectorAll('[data-step]')) {
  button.addEventListener('click', () => {
    const n = now.at ?? now.length - 1;
    choose({ first: now.first, back: n - 1, forward: n + 1 }[button.dataset.step]);
  });
}
for (const [button, other] of [['#as-picture', '#as-outline'], ['#as-outline', '#as-picture']]) {
  $(button).addEventListener('click', () => {
    $(button).setAttribute('aria-pressed', 'true');
    $(other).setAttribute('aria-pressed', 'false');
    $('#picture').hidden = $('#zoom').hidden = button === '#as-outline';
    $('#outline').hidden = button === '#as-picture';
    draw();
  });
}
for (const button of document.querySelectorAll('#panes button')) {
  button.addEventListener('click', () => showPane(button.dataset.pane));
}
$('#link').addEventListener('click', attempt(async () => {
  const url = new URL(location.href);
  url.hash = address(now.token);
  if (!navigator.clipboard) throw new Error(`Copy this link: ${url.href}`); // the page is not on this machine, nor encrypted
  await navigator.clipboard.writeText(url.href);
  setText($('#link'), 'Copied');
  setTimeout(() => setText($('#link'), 'Copy link'), 2000);
}));
$('#find').addEventListener('submit', attempt(async event => {
  event.preventDefault();
  const text = $('#find-text').value.trim();
  if (!text) return;
  const back = event.submitter?.value === '1';
  const from = (now.at ?? now.length - 1) + (back ? -1 : 1);
  const { rows, session } = now;
  const n = from < now.first || from >= now.length ? null : await api.find(session.id, text, from, back);
  if (now.rows !== rows) return; // another session has been opened since
  setText($('#found'), n === null ? 'not found' : `step ${n}`);
  if (n !== null) choose(n);
}));

try {
  const step = api.place.get('step');
  gotSessions(await api.sessions(), api.place.get('session'), step === null ? null : Number(step));
  if (!now.rows) stopListening = api.listen(null, { sessions: list => gotSessions(list), tick, lost });
} catch (error) {
  complain(error);
}
