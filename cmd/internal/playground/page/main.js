// The playground: the document, what is wrong with it, and a session of its chart.

import { Editor } from './editor.js';
import { Draw } from './draw.js';
import { Engine } from './engine.js';
import { History } from './history.js';
import { pack, unpack } from './link.js';
import { joined, visible } from './inspect/visible.js';
import { begin, keepOffline } from '../update.js';
import { OnDisk } from './ondisk.js';

await begin();

const $ = selector => document.querySelector(selector);
const engine = new Engine();
window.engine = engine; // for the page of the inspector

const kept = 'scxmlrun playground'; // the name of the document in localStorage
const calm = 250; // ms after a change before the document is checked

let examples = [];
let running = null; // the document of the session
let changes = 0;
let waiting = 0;

const editor = new Editor($('.editor'), () => {
  past.add(editor.text, true);
  changed();
});
let past = new History('');

// changed says that the document has another text.
function changed() {
  changes++;
  keep();
  draw.changed();
  clearTimeout(waiting);
  waiting = setTimeout(() => attempt(check), calm);
}

// step undoes or redoes.
function step(by) {
  const text = past.step(by);
  if (text === null) return;
  editor.change(text);
  changed();
  draw.changed(0);
}
editor.step = step;

const draw = new Draw(engine, {
  get text() { return editor.text; },
  change(text, line) {
    editor.change(text, line);
    past.add(text);
    changed();
  },
  go: line => editor.point(line),
  undo: () => step(-1),
  redo: () => step(1),
  drawn: () => attempt(lit),
});

let disk = null; // the file on disk that the page edits

// lit shows in the picture where the session is.
async function lit() {
  if (!draw.shown || editor.text !== running) return draw.light([]);
  const { sessions } = await engine.ask('GET', '/api/sessions');
  if (sessions.length === 0) return draw.light([]);
  const { configuration } = await engine.ask('GET', `/api/sessions/${encodeURIComponent(sessions[0].id)}/positions/last`);
  return draw.light(configuration);
}
setInterval(() => document.visibilityState === 'visible' && draw.shown && lit().catch(() => {}), 1000);

// The place in the document and the place in the picture show each other.
window.source = (at, go) => {
  const [line, column] = at.split(':').slice(-2).map(Number);
  editor.point(line);
  if (!go) return;
  pane('edit');
  editor.go(line, column);
};
editor.moved = () => {
  if (editor.text !== running) return;
  $('#inspector').contentWindow?.dispatchEvent(new CustomEvent('point', { detail: editor.element }));
};

// check checks the document, and runs it if it is right.
async function check() {
  const at = changes;
  const { text } = editor;
  const problems = await engine.ask('POST', '/check', text);
  if (at !== changes) return;
  show(problems);
  if (text !== running && !problems.some(problem => problem.severity === 'error')) await run();
}

// run begins a session of the document.
async function run() {
  clearTimeout(waiting);
  const { text } = editor;
  $('#notice').hidden = true;
  const at = changes;
  const clock = $('#virtual').checked ? 'virtual' : 'real';
  const { problems } = await engine.ask('POST', `/run?clock=${clock}`, text);
  if (at === changes) show(problems);
  if (problems.some(problem => problem.severity === 'error')) return;
  running = text;
  frame();
}

// frame shows the session.
function frame() {
  const inspector = $('#inspector');
  $('#loading').hidden = true;
  if (!inspector.hasAttribute('src')) {
    inspector.src = 'inspect/';
    inspector.hidden = false;
  } else {
    inspector.contentWindow.dispatchEvent(new Event('chart'));
  }
}

// show shows the problems.
function show(problems) {
  editor.problems = problems;
  const errors = problems.filter(problem => problem.severity === 'error').length;
  const notes = problems.filter(problem => problem.severity === 'note').length;
  const warnings = problems.length - errors - notes;
  const count = (n, what) => (n === 0 ? '' : `${n} ${what}${n === 1 ? '' : 's'}`);
  const found = [count(errors, 'error'), count(warnings, 'warning'), count(notes, 'note')].filter(Boolean).join(', ');
  $('#summary').textContent = found === '' ? 'No problems' : errors > 0 && running !== null ? `${found}. The session is of the last document without errors.` : found;
  $('#summary').className = errors > 0 ? 'error' : warnings > 0 ? 'warning' : '';
  $('#problems ul').replaceChildren(...problems.map(item));
}

function item(problem) {
  const li = document.createElement('li');
  const button = document.createElement('button');
  button.className = problem.severity;
  const place = document.createElement('span');
  place.textContent = problem.line > 0 ? `${problem.line}:${problem.column}` : '';
  button.append(place, joined` ${problem.message}`);
  button.setAttribute('aria-label', `${problem.severity}, ${problem.line > 0 ? 'line ' : ''}${button.textContent.trim()}`);
  button.addEventListener('click', () => {
    pane('edit');
    if (problem.line > 0) editor.go(problem.line, problem.column);
  });
  li.append(button);
  if (problem.code) {
    const more = document.createElement('details');
    const summary = document.createElement('summary');
    summary.textContent = problem.code;
    more.append(summary);
    more.addEventListener('toggle', () => attempt(() => explain(more, problem.code)), { once: true });
    li.append(more);
  }
  return li;
}

// explain says what a kind of problem means.
async function explain(more, code) {
  const { title, section, text, wrong, right } = await engine.ask('GET', `/explain/${encodeURIComponent(code)}`);
  const part = (name, text) => {
    const node = document.createElement(name);
    node.textContent = text;
    return node;
  };
  more.append(part('h3', title), part('p', section ? `${text} (${/^\d/.test(section) ? `REC ${section}` : section})` : text));
  if (wrong) more.append(part('p', 'Wrong:'), part('pre', wrong));
  if (right) more.append(part('p', 'Right:'), part('pre', right));
}

// load takes another document.
function load(text) {
  changes++;
  editor.text = text;
  past.add(text);
  keep();
  draw.changed();
  return run();
}

// keep keeps the document for the next visit. The address says no more where it is from.
function keep() {
  if (disk) {
    disk.changed();
    return;
  }
  try {
    localStorage.setItem(kept, editor.text);
  } catch { /* the browser keeps nothing: the next visit begins with an example */ }
  if (location.hash) history.replaceState(null, '', location.pathname);
  $('#examples').value = '';
}

// start takes the document that the address says, or that of the last visit.
async function start() {
  const place = new URLSearchParams(location.hash.slice(1));
  const packed = place.get('chart');
  const example = examples.find(one => one.name === place.get('example'));
  if (place.has('clock')) $('#virtual').checked = place.get('clock') === 'virtual';
  let text = example?.source ?? null, damaged = null;
  if (packed !== null) {
    try {
      text = await unpack(packed);
    } catch (error) {
      damaged = error;
    }
  }
  if (text === null && editor.text === '') {
    try {
      text = localStorage.getItem(kept);
    } catch { /* as in keep */ }
    text ||= examples[0].source;
  }
  if (text !== null) {
    changes++;
    editor.text = text;
    past = new History(text);
    draw.changed();
    $('#examples').value = examples.find(one => one.source === text)?.name ?? '';
    show([]);
    await check();
  }
  if (damaged) throw damaged;
}

function complain(error) {
  $('#notice').textContent = visible(error.message, 2000, true);
  $('#notice').hidden = false;
  $('#loading').hidden = true;
}

const attempt = work => Promise.resolve().then(work).catch(complain);

function pane(name) {
  document.body.dataset.pane = name;
  for (const button of document.querySelectorAll('#panes button')) {
    if (button.dataset.pane === name) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
  $('#edit-picture').setAttribute('aria-pressed', name === 'draw');
  draw.changed();
}

engine.addEventListener('loading', ({ detail: { done, size } }) => {
  $('#progress').value = done / size;
});
engine.addEventListener('failed', ({ detail }) => complain(detail));
engine.addEventListener('stopped', ({ detail }) => {
  complain(detail);
  running = null;
  $('#inspector').removeAttribute('src');
  $('#inspector').hidden = true;
});

$('#edit-picture').addEventListener('click', () => pane(document.body.dataset.pane === 'draw' ? 'edit' : 'draw'));
$('#run').addEventListener('click', () => attempt(run));
$('#virtual').addEventListener('change', () => attempt(run));
$('#examples').addEventListener('change', event => {
  const example = examples.find(one => one.name === event.target.value);
  if (example) {
    attempt(async () => {
      await load(example.source);
    });
    history.replaceState(null, '', `#example=${example.name}`);
    event.target.value = example.name;
  }
});
$('#link').addEventListener('click', () => attempt(async () => {
  const url = new URL(location.href);
  url.hash = new URLSearchParams({ chart: await pack(editor.text), ...($('#virtual').checked ? { clock: 'virtual' } : {}) });
  history.replaceState(null, '', url);
  try {
    await navigator.clipboard.writeText(url.href);
  } catch { // there is none on http://
    prompt('', url.href); // the user copies it
    return;
  }
  $('#link').textContent = 'Copied';
  setTimeout(() => { $('#link').textContent = 'Copy link'; }, 2000);
}));
$('#save').addEventListener('click', () => {
  if (disk) {
    attempt(() => disk.save());
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([editor.text], { type: 'application/xml' }));
  link.download = `${/<scxml[^>]*\sname\s*=\s*["']([\w .-]+)["']/.exec(editor.text)?.[1] ?? 'chart'}.scxml`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
$('#open').addEventListener('click', () => $('#file').click());
$('#file').addEventListener('change', event => attempt(async () => {
  const [file] = event.target.files;
  event.target.value = '';
  if (file) await load(await file.text());
}));
document.addEventListener('dragover', event => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
document.addEventListener('drop', event => {
  if (disk) return;
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  attempt(async () => load(await file.text()));
});
document.addEventListener('keydown', event => {
  if (disk && event.key === 's' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    attempt(() => disk.save());
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    attempt(run);
  }
});
for (const button of document.querySelectorAll('#panes button')) {
  button.addEventListener('click', () => pane(button.dataset.pane));
}
addEventListener('hashchange', () => disk || attempt(start));

attempt(async () => {
  const file = await OnDisk.open(engine, {
    get text() { return editor.text; },
    set text(text) {
      editor.change(text);
      past.add(text);
      changed();
    },
  });
  if (file) {
    editor.text = file.text;
    past = new History(file.text);
    disk = file;
    for (const one of document.querySelectorAll('#open, #link, label:has(#examples)')) one.hidden = true;
    changes++;
    show([]);
    pane('draw');
    await check();
    return;
  }
  examples = await engine.ask('GET', '/examples');
  for (const { name, title } of examples) $('#examples').append(new Option(title, name));
  await start();
  keepOffline();
});
