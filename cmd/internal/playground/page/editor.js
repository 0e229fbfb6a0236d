// The editor: a text area, and below its transparent text the same text in colours, with the problems
// underlined. What the browser offers for texts (undo, search, screen readers, other ways to write) works.

import { place, setText } from './inspect/dom.js';
import { isHidden, visible } from './inspect/visible.js';

const piece = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<\/?[^\s<>/]*|\/?>|([^\s<>="'/]+(?=\s*=))|[^\s<>&="'/]+|"[^"<]*"?|'[^'<]*'?|&[^\s;<&]*;?|[\s\S]/g;

// lines returns the text as lines of [kind, text].
function lines(text) {
  const all = [[]];
  let inTag = false;
  for (const [part, name] of text.matchAll(piece)) {
    let kind = '';
    if (part.startsWith('<!--')) kind = 'comment';
    else if (part.startsWith('<![') || part.startsWith('<?')) kind = 'other';
    else if (/^<\/?./.test(part)) {
      kind = 'tag';
      inTag = true;
    } else if (inTag && /^\/?>$/.test(part)) {
      kind = 'tag';
      inTag = false;
    } else if (inTag && /^["']/.test(part)) kind = 'value';
    else if (inTag && name) kind = 'name';
    else if (part.startsWith('&')) kind = 'other';
    for (const [i, line] of part.split('\n').entries()) {
      if (i > 0) all.push([]);
      const last = all.at(-1).at(-1);
      if (last?.[0] === kind && kind !== 'tag') last[1] += line;
      else if (line) all.at(-1).push([kind, line]);
    }
  }
  return all;
}

const calm = 100; // ms after a change that a person has not typed before the area takes it
const spare = 20; // lines that are drawn above and below those in view
const colourful = 300_000; // characters: a longer document has no colours and no numbers, which would take seconds

export class Editor {
  #area;
  #paint;
  #gutter;
  #late = null; // the text, as long as the area does not have it
  #lines = []; // as [kind, text]
  #drawn = []; // those in view: {key, line, number}; key says what line shows
  #problems = new Map(); // by line
  #pointed; // a line, by number
  moved = () => {}; // called when the caret has moved
  step = () => {}; // called to undo (-1) and redo (1): the browser does not know what others have changed

  // changed is called after each change.
  constructor(root, changed) {
    this.#area = root.querySelector('textarea');
    this.#paint = root.querySelector('.paint');
    this.#gutter = root.querySelector('.gutter');
    this.#area.addEventListener('input', () => {
      this.#problems = new Map(); // their places may be others now
      this.#draw();
      changed();
    });
    document.addEventListener('selectionchange', () => {
      if (document.activeElement === this.#area) this.moved();
    });
    this.#area.addEventListener('scroll', () => this.#scroll());
    for (const kind of ['focus', 'keydown', 'beforeinput', 'pointerdown']) this.#area.addEventListener(kind, () => this.#settle());
    this.#area.addEventListener('keydown', event => this.#key(event));
    this.#area.addEventListener('beforeinput', event => this.#before(event));
    new ResizeObserver(() => this.#scroll()).observe(this.#area);
  }

  get text() {
    return this.#late ?? this.#area.value;
  }

  set text(text) {
    this.#late = null;
    this.#area.value = text;
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTo(0, 0);
    this.#problems = new Map();
    this.#draw();
  }

  // change takes another text that is like the one before, and shows the line that has changed. The lines in
  // view are painted at once. The area takes the text a little later: the browser lays it out as a whole.
  change(text, line) {
    const settled = this.#late === null;
    this.#late = text;
    this.#problems = new Map();
    this.#draw();
    if (line) this.#reveal(line);
    if (settled) setTimeout(() => this.#settle(), calm);
  }

  // settle gives the area the text. It must be called before the area is used.
  #settle() {
    if (this.#late === null) return;
    const { scrollTop, scrollLeft } = this.#area;
    this.#area.value = this.#late;
    this.#late = null;
    this.#area.scrollTo(scrollLeft, scrollTop);
  }

  // problems shows what is wrong; the list is in the order of the document.
  set problems(problems) {
    this.#problems = Map.groupBy(problems, problem => problem.line);
    this.#draw();
  }

  // go moves the caret to a place, both numbers from 1. Columns count characters, not units of UTF-16.
  go(line, column) {
    this.#settle();
    const all = this.#area.value.split('\n');
    let at = 0;
    for (const text of all.slice(0, line - 1)) at += text.length + 1;
    at += [...(all[line - 1] ?? '')].slice(0, column - 1).join('').length;
    this.#area.focus();
    this.#area.setSelectionRange(at, at);
    this.#reveal(line);
  }

  // point marks a line.
  point(line) {
    this.#pointed = line;
    this.#reveal(line);
    this.#scroll();
  }

  #reveal(line) {
    const height = this.#height;
    const top = (line - 1) * height;
    if (top < this.#area.scrollTop || top > this.#area.scrollTop + this.#area.clientHeight - 2 * height) {
      this.#area.scrollTop = top - this.#area.clientHeight / 3;
    }
  }

  // element returns the place, "line:column", of the innermost state or transition around the caret; "" if
  // there is none.
  get element() {
    this.#settle();
    const { value, selectionStart: caret } = this.#area;
    const open = [];
    for (const { 0: tag, 1: name, index } of value.matchAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<(\/?[\w:.-]+)(?:"[^"]*"|'[^']*'|[^"'<>])*>/g)) {
      if (index > caret || !name) continue;
      const end = index + tag.length;
      if (name.startsWith('/')) {
        if (end <= caret) open.pop();
      } else if (!tag.endsWith('/>') || end >= caret) open.push({ name, index });
    }
    const index = open.findLast(({ name }) => /^(?:[\w.-]+:)?(?:state|parallel|final|history|transition)$/.test(name))?.index;
    if (index === undefined) return '';
    const before = value.slice(0, index).split('\n');
    return `${before.length}:${[...before.at(-1)].length + 1}`;
  }

  // Tab indents; after Escape it leaves the editor, as everywhere else.
  #free = false;
  #key(event) {
    const { selectionStart: from, selectionEnd: to, value } = this.#area;
    if (event.key === 'Escape') {
      this.#free = true;
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key)) {
      event.preventDefault();
      this.step(event.key.toLowerCase() === 'y' || event.shiftKey ? 1 : -1);
      return;
    }
    if (event.key === 'Tab' && !this.#free && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (event.shiftKey || value.slice(from, to).includes('\n')) this.#indent(event.shiftKey);
      else this.#insert('  ');
    }
    if (event.key !== 'Shift') this.#free = false;
  }

  // A new line begins as the one before, and further to the right after a start tag. Keyboards on a screen
  // have no key for it.
  #before(event) {
    if (event.inputType === 'historyUndo' || event.inputType === 'historyRedo') {
      event.preventDefault();
      this.step(event.inputType === 'historyUndo' ? -1 : 1);
      return;
    }
    if (event.inputType !== 'insertLineBreak' || event.isComposing) return;
    event.preventDefault();
    const { selectionStart: from, value } = this.#area;
    const line = value.slice(value.lastIndexOf('\n', from - 1) + 1, from);
    const opens = /<[^/!?][^<>]*[^/<>]>\s*$|<\w>\s*$/.test(line);
    this.#insert(`\n${/^[ \t]*/.exec(line)[0]}${opens ? '  ' : ''}`);
  }

  // insert goes through the browser, so that it can be undone.
  #insert(text) {
    document.execCommand('insertText', false, text);
  }

  #indent(less) {
    const { selectionStart: from, selectionEnd: to, value } = this.#area;
    const begin = value.lastIndexOf('\n', from - 1) + 1;
    const end = Math.max(begin, value[to - 1] === '\n' && to > from ? to - 1 : to);
    const last = value.indexOf('\n', end) < 0 ? value.length : value.indexOf('\n', end);
    const before = value.slice(begin, last);
    const after = before.split('\n').map(line => (less ? line.replace(/^ {1,2}|^\t/, '') : line && `  ${line}`)).join('\n');
    if (after === before) return;
    this.#area.setSelectionRange(begin, last);
    this.#insert(after);
    if (from === to) this.#area.setSelectionRange(Math.max(begin, from + after.length - before.length), Math.max(begin, from + after.length - before.length));
    else this.#area.setSelectionRange(begin, begin + after.length);
  }

  // draw takes the text, and draws the lines of it that are in view.
  #draw() {
    const { text } = this, plain = text.length > colourful;
    this.#area.classList.toggle('plain', plain);
    this.#lines = plain ? [] : lines(text);
    this.#gutter.style.minInlineSize = `max(44px, ${String(this.#lines.length).length}ch + 18px)`;
    this.#scroll();
  }

  get #height() { return parseFloat(getComputedStyle(this.#area).lineHeight); } // of a line

  // scroll shows the lines in view and some around them. Those that stay the same stay.
  #scroll() {
    const { scrollLeft, scrollTop, clientHeight } = this.#area, height = this.#height;
    const from = Math.max(0, Math.floor(scrollTop / height) - spare);
    const to = Math.ceil((scrollTop + clientHeight) / height) + spare;
    const old = Map.groupBy(this.#drawn, one => one.key);
    this.#drawn = this.#lines.slice(from, to).map((parts, i) => {
      const problems = this.#problems.get(from + i + 1) ?? [];
      const key = JSON.stringify([parts, problems]);
      const one = old.get(key)?.shift() ?? paintLine(key, parts, problems);
      setText(one.number, String(from + i + 1));
      one.line.classList.toggle('pointed', from + i + 1 === this.#pointed);
      return one;
    });
    place(this.#paint, this.#drawn.map(one => one.line));
    place(this.#gutter, this.#drawn.map(one => one.number));
    const down = from * height - scrollTop;
    this.#paint.style.transform = `translate(${-scrollLeft}px, ${down}px)`;
    this.#gutter.style.transform = `translateY(${down}px)`;
  }
}

const worst = problems => (problems.some(problem => problem.severity === 'error') ? 'error' : 'warning');

// hiddenIn returns where in a line are characters that cannot be seen.
function hiddenIn(line) {
  const found = new Map();
  if (/^[\t -~]*$/.test(line)) return found;
  const chars = [...line];
  const code = i => chars[i]?.codePointAt(0) ?? 0;
  let at = 0;
  for (const [i, char] of chars.entries()) {
    if (char !== '\t' && isHidden(code(i - 1), code(i), code(i + 1))) found.set(at, at + char.length);
    at += char.length;
  }
  return found;
}

// paintLine returns a line and its number: {key, line, number}. A problem is underlined from its place to the
// end of the word. What cannot be seen is marked, and stays what it is: the text area above has the same
// text.
function paintLine(key, parts, problems) {
  const line = document.createElement('div');
  const whole = parts.map(part => part[1]).join('');
  const marks = problems.map(({ column, severity }) => {
    const from = Math.min([...whole].slice(0, Math.max(column - 1, 0)).join('').length, Math.max(whole.length - 1, 0));
    const word = /^<?\/?[\w.:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?|^[^]/.exec(whole.slice(from)) ?? [' '];
    return { from, to: from + word[0].length, severity };
  });
  const hidden = hiddenIn(whole);
  const cuts = new Set([...hidden, ...marks.map(mark => [mark.from, mark.to])].flat());
  let at = 0;
  for (const [kind, text] of parts) {
    const end = at + text.length;
    const stops = [at, ...[...cuts].filter(cut => cut > at && cut < end).sort((a, b) => a - b), end];
    for (let i = 1; i < stops.length; i++) {
      const span = document.createElement('span');
      const mark = marks.find(mark => mark.from <= stops[i - 1] && stops[i] <= mark.to);
      span.className = [kind, mark?.severity, hidden.has(stops[i - 1]) && 'hidden'].filter(Boolean).join(' ');
      span.textContent = text.slice(stops[i - 1] - at, stops[i] - at);
      line.append(span);
    }
    at = end;
  }
  if (at === 0) line.append('\u200b'); // an empty line has a height
  const number = document.createElement('div');
  const unseen = hidden.size > 0 ? [`it has characters that cannot be seen: ${visible(whole.trim())}`] : [];
  if (problems.length > 0 || unseen.length > 0) {
    number.className = worst(problems);
    number.title = [...problems.map(problem => visible(problem.message, 2000)), ...unseen].join('\n');
  }
  return { key, line, number };
}
