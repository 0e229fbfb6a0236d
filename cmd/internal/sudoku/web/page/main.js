// The page shows what the game says and tells it what the player does. It knows neither rules nor
// words: those are in the worker.

import { Board } from './board.js';
import { still } from './camera.js';
import { CellMenu } from './cellmenu.js';
import { Dialogs } from './dialog.js';
import { element, set, setText } from './element.js';
import { keyName } from './keys.js';
import * as left from './left.js';
import { sound } from './sound.js';
import { begin, keepOffline } from './update.js';

await begin();

const $ = id => document.getElementById(id);
const root = document.documentElement;
const worker = new Worker('worker.js', { type: 'module' });

export const tell = (message, data) => worker.postMessage({ message: left.number(message), data }, data ? [data.buffer] : []);
const act = name => tell({ do: 'act', name });

const board = new Board($('board'), tell);
const dialogs = new Dialogs($('dialog'), tell, () => board.focus(), video => still(video, 'photo.png').then(read));

const cellMenu = new CellMenu($('cell-menu'), tell, () => board.focus());

// puzzleOfLink returns the puzzle that the address has.
const puzzleOfLink = () => {
  let text = location.hash.slice(1);
  try {
    text = decodeURIComponent(text);
  } catch { /* a % that is not an escape: the game says that this is not a puzzle */ }
  if (text) history.replaceState(null, '', location.pathname + location.search);
  return text;
};

tell({
  do: 'start', lang: navigator.language, puzzle: puzzleOfLink(), left: left.before(),
  camera: matchMedia('(pointer: coarse)').matches ? 'file' : navigator.mediaDevices?.getUserMedia ? 'preview' : '', screen: !!navigator.mediaDevices?.getDisplayMedia,
});
addEventListener('hashchange', () => {
  const text = puzzleOfLink();
  if (text) tell({ do: 'text', text });
});

worker.onmessage = ({ data: { message, data } }) => {
  if (!Object.hasOwn(hears, message.type)) throw new Error(`the game says what the page does not know: ${message.type}`);
  hears[message.type](message, data);
};
worker.onerror = () => hears.failed({ error: 'cannot start the game' });

const hears = {
  view: show,
  mine: left.begin,
  kept: left.kept,
  dropped: left.dropped,
  loading({ done, total }) {
    $('progress').max = total;
    $('progress').value = done;
  },
  failed({ error }) {
    if (root.dataset.state === 'failed') return; // the first error says why
    $('loading')?.remove();
    root.dataset.state = 'failed';
    $('note').textContent = error;
    $('say').textContent = error;
  },
  file({ name, media }, bytes) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: media }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  open() {
    $('file').removeAttribute('capture');
    $('file').accept = '';
    $('file').click();
  },
  camera() {
    $('file').setAttribute('capture', 'environment');
    $('file').accept = 'image/*';
    $('file').click();
  },
  sheets: ({ sheets }) => dialogs.keepSheets(sheets),
  screen: () => shoot().then(read, error => { if (error.name !== 'NotAllowedError') notRead(error); }), // the player may not have wanted it
  async copy({ text, link }) {
    const whole = link ? location.href.split('#')[0] + '#' + text : text;
    try {
      await navigator.clipboard.writeText(whole);
    } catch { // there is none on http://
      prompt('', whole); // the player copies it
    }
  },
  drawn: () => board.inkRead(),
  print: () => print(),
  fullscreen() {
    const change = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.();
    change?.catch(() => {}); // the browser does not want to
  },
  menu: () => $('menu').togglePopover(),
  context({ at }) {
    cellMenu.mark(board.shown(at), root.dataset.pen);
    cellMenu.openAt($(`c${at}`));
  },
};

// What the page shows now.
let keys = new Set();
let paused = '';
let noteTimer;

// The counts wait until the board is painted: the browser lays them out for longer than all that a digit takes.
let counts = {}, countsTimer;

function showCounts() {
  const { left, facts } = counts;
  counts = {};
  countsTimer = undefined;
  if (left !== undefined) showLeft(left);
  if (facts) showFacts(facts);
}

function show(view) {
  const focused = document.activeElement;
  board.select(view.at, focused); // before the rest: to move the focus, the browser works out all that has changed
  const has = name => Object.hasOwn(view, name);
  const text = (id, name = id) => { if (has(name)) $(id).textContent = view[name]; };
  if (has('lang')) root.lang = view.lang;
  if (has('theme')) {
    if (view.theme) root.dataset.theme = view.theme.toLowerCase();
    else delete root.dataset.theme;
  }
  if (has('motion')) root.dataset.motion = view.motion ? 'gentle' : 'none';
  if (has('typeface')) root.dataset.typeface = view.typeface;
  if (has('draw')) root.toggleAttribute('data-draw', view.draw);
  if (has('sound')) sound(view.sound);
  if (has('title')) { $('title').textContent = view.title; $('board').setAttribute('aria-label', view.title); }
  text('name', 'puzzle');
  text('level');
  if (has('labels')) showLabels(view.labels);
  if (has('puzzle')) document.title = view.puzzle ? `${view.puzzle} – Sudoku` : 'Sudoku';
  if (has('state')) root.dataset.state = view.state;
  if (has('pen')) root.dataset.pen = view.pen;
  text('status');
  text('time');
  if (has('time')) $('time').hidden = !view.time;
  if (has('keys')) keys = new Set(view.keys);
  if (has('menu')) showMenu(view.menu);
  if (has('cell')) cellMenu.fill(view.cell);
  if (has('buttons')) showButtons(view.buttons);
  if (['menu', 'cell', 'buttons', 'can', 'on'].some(has)) mark(view);
  for (const name of ['left', 'facts']) if (has(name)) counts[name] = view[name];
  for (const id of ['hint', 'about', 'busy']) {
    text(id);
    if (has(id)) $(id).hidden = !view[id];
  }
  if (has('amiss')) $('hint').classList.toggle('amiss', view.amiss);
  if (has('state') || has('busy')) $('busy').dataset.part = root.dataset.state === 'solving' ? 'pause' : 'cancel';
  if (has('note')) {
    text('note');
    $('note').classList.toggle('shown', !!view.note);
    clearTimeout(noteTimer);
    if (view.note) noteTimer = setTimeout(() => $('note').classList.remove('shown'), 6000);
  }
  if (has('say')) { // the same text again is said again
    $('say').replaceChildren();
    $('say').append(view.say);
  }
  showCover();
  board.show(view);
  if (Object.keys(counts).length > 0) countsTimer ??= setTimeout(showCounts, 25);
  if (cellMenu.isOpen) cellMenu.mark(board.shown(), root.dataset.pen);
  if (view.hint) $('hint').scrollIntoView({ block: 'nearest' });
  if (has('dialog')) dialogs.show(view.dialog);
  if (!$('dialog').open && (!focused.isConnected || focused.hidden)) board.focus(); // it was on a button that is gone
  if (!root.dataset.playable) {
    root.dataset.playable = 'true';
    performance.mark('playable');
    board.focus();
  }
  if (has('rest')) { // the program is on its way
    $('rest').textContent = view.rest;
    $('facts').before($('loading'));
  } else if (!root.dataset.ready) {
    $('loading').remove();
    root.dataset.ready = 'true';
    performance.mark('ready');
    keepOffline();
  }
}

function showLabels({ menu, buttons, pad: digits, clear, cell, chart: text }) {
  chart.textContent = text;
  for (const [one, label] of [[$('menu-button'), menu], [$('menu'), menu], [$('buttons'), buttons], [$('pad'), digits], [pad[9], clear], [$('cell-menu'), cell]])
    one.setAttribute('aria-label', label);
}

// The cover is over a board that is paused: its button continues.
function showCover() {
  const state = root.dataset.state, cover = $('cover');
  const start = document.querySelector('#menu [data-act=start]');
  cover.toggleAttribute('hidden', state !== 'paused');
  if (!start) return;
  setText(cover, start.dataset.label);
  set($('time'), 'title', start.dataset.label);
}

const chart = element('a', { href: 'playground/#example=sudoku' });

function showMenu(menu) {
  const parts = menu.map(({ title, items }) => {
    const part = element('section', {}, element('h2', {}, title));
    for (const { name, label, key, line } of items) {
      const button = element('button', { 'data-act': name, 'data-label': label, class: line ? 'line' : '' },
        element('span', {}, label), element('kbd', {}, key ?? ''));
      part.append(button);
    }
    return part;
  });
  parts.at(-1).append(chart);
  $('menu').replaceChildren(element('div', {}, ...parts)); // of columns: what scrolls would break them
}

function showButtons(buttons) {
  $('buttons').replaceChildren(...buttons.map(({ name, label, key }) =>
    element('button', { 'data-act': name, title: key ? `${label} (${key})` : label }, ...icon(name), element('span', {}, label))));
  $('buttons').classList.toggle('icons', buttons.every(({ name }) => icons[name]));
}

const icons = {
  undo: 'M9 14 4 9l5-5M4 9h10a5.500 5.500 0 0 1 0 11h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a5.500 5.500 0 0 0 0 11h3',
  'pen-notes': 'm4 20 1-4.500L16 4.500l3.500 3.500-11 11zM13.500 7l3.500 3.500',
  'pen-corner': 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  'pen-colours': 'M12 3.500s-6 6.700-6 11a6 6 0 0 0 12 0c0-4.300-6-11-6-11zM9.500 15a2.500 2.500 0 0 0 2.500 2.500',
  hint: 'M9 18h6M10.500 21h3M12 3a6 6 0 0 0-4 10.500c.8.7 1 1.500 1 2.500h6c0-1 .2-1.800 1-2.500A6 6 0 0 0 12 3z',
};

// icon returns the picture of an action, if it has one.
function icon(name) {
  if (!icons[name]) return [];
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), path = document.createElementNS(picture.namespaceURI, 'path');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', icons[name]);
  picture.append(path);
  return [picture];
}

let possible = [], switched = [];

// mark marks what is possible and what is switched on.
function mark({ can = possible, on = switched }) {
  possible = can;
  switched = on;
  for (const button of document.querySelectorAll('[data-act]')) {
    const name = button.dataset.act, inMenu = button.getAttribute('role')?.startsWith('menuitem'), state = inMenu ? 'aria-checked' : 'aria-pressed';
    if (button.id !== 'cover') set(button, 'aria-disabled', String(!can.includes(name)));
    if (!on.includes(name) && !button.hasAttribute(state)) continue;
    if (inMenu) button.setAttribute('role', 'menuitemcheckbox');
    set(button, state, String(on.includes(name)));
  }
}

const pad = Array.from({ length: 10 }, (_, i) => {
  const digit = (i + 1) % 10;
  const button = element('button', { 'data-digit': digit }, element('b', {}, digit ? String(digit) : '⌫'), element('small', { 'aria-hidden': 'true' }));
  button.onclick = () => digit ? tell({ do: 'put', digit }) : act('clear');
  return button;
});
$('pad').append(...pad);

function showLeft(left) {
  pad.slice(0, 9).forEach((button, i) => {
    setText(button.lastChild, left ? String(left[i]) : '');
    button.classList.toggle('done', left?.[i] === 0);
  });
}

function showFacts(facts) {
  const shown = $('facts');
  while (shown.childElementCount > facts.length) shown.lastChild.remove();
  while (shown.childElementCount < facts.length) shown.append(element('div', {}, element('dt'), element('dd')));
  facts.forEach(({ part, name, value, bad }, i) => {
    const fact = shown.children[i];
    set(fact, 'data-part', part ?? '');
    set(fact, 'class', bad ? 'bad' : '');
    setText(fact.firstChild, name);
    setText(fact.lastChild, value);
  });
}

// What the player does.

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-act]');
  if (!button || $('cell-menu').contains(button)) return;
  if ($('menu').contains(button)) $('menu').hidePopover();
  act(button.dataset.act);
});

// What is shown besides the board can be clicked, as in the terminal. A finger would do that by mistake.
$('puzzle').dataset.part = 'open';
$('hint').dataset.part = 'hint';
document.addEventListener('click', ({ target, pointerType }) => {
  const { part } = target.closest('[data-part]')?.dataset ?? {};
  if (part && pointerType === 'mouse') tell({ do: 'part', name: part });
});

$('menu-button').onclick = () => $('menu').togglePopover();
$('menu').addEventListener('toggle', ({ newState }) => {
  $('menu-button').setAttribute('aria-expanded', String(newState === 'open'));
  if (newState === 'open') $('menu').querySelector('button')?.focus();
  else board.focus();
});

document.addEventListener('keydown', event => {
  if ($('dialog').open || cellMenu.isOpen || event.defaultPrevented) return;
  const name = keyName(event), within = event.target;
  if ($('menu').matches(':popover-open')) return menuKey(event);
  if ((name === 'Enter' || name === 'Space') && within.matches('button') && !$('board').contains(within)) return;
  if (!keys.has(name) && !keys.has(name.replace('Shift+', ''))) return;
  event.preventDefault();
  tell({ do: 'key', key: name });
  if (!within.closest('#board')) board.focus();
});

function menuKey(event) {
  const all = [...$('menu').querySelectorAll('button, a')];
  const by = { ArrowDown: 1, ArrowUp: -1, Home: -all.length, End: all.length }[event.key];
  if (event.key === 'F10') $('menu').hidePopover();
  else if (by) all[Math.min(Math.max(all.indexOf(document.activeElement) + by, 0), all.length - 1)].focus();
  else return;
  event.preventDefault();
}

document.addEventListener('visibilitychange', () => { if (document.hidden) tell({ do: 'hidden' }); });

const read = file => file.arrayBuffer().then(bytes => tell({ do: 'file', name: file.name }, new Uint8Array(bytes)), notRead);

// notRead tells of a file that cannot be read, such as a folder.
const notRead = error => tell({ do: 'file', error: error.message });

// shoot takes a picture of the screen or a window, which the player chooses.
async function shoot() {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: true });
  const video = document.createElement('video');
  video.srcObject = stream;
  try {
    await video.play();
    return await still(video, 'screen.png');
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

$('file').onchange = ({ target }) => {
  if (target.files[0]) read(target.files[0]);
  target.value = '';
};
document.addEventListener('paste', event => {
  if (event.target.closest?.('input, textarea')) return;
  const file = event.clipboardData.files[0], text = event.clipboardData.getData('text');
  if (file) read(file);
  else if (text.trim()) tell({ do: 'text', text });
});
document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', event => {
  event.preventDefault();
  const file = event.dataTransfer.files[0], text = event.dataTransfer.getData('text');
  if (file) read(file);
  else if (text.trim()) tell({ do: 'text', text });
});
