// The picture of the chart: lit, moved and zoomed.

import { $, el, latest, place, visible } from './dom.js';

const least = 0.05;
const most = 6;
const legible = 0.6;

export class Picture {
  #view = $('#picture');
  #root = this.#view.attachShadow({ mode: 'open' });
  #style = new CSSStyleSheet();
  #svg = null;
  #pieces = []; // of the picture, see piecesOf
  #room = { width: 0, height: 0 }; // of the view
  #styled = null; // the text of the style
  #size = { width: 1, height: 1 };
  #states = new Map(); // name → elements
  #transitions = new Map(); // id → elements
  #lit = new Map(); // class → set of elements
  #at = { x: 0, y: 0, scale: 1 };
  #touched = false; // a person has moved it: it does not move by itself

  // pick({state}) or pick({transition}) is called when one is clicked. A page that lets people draw has
  // grab, which is called with the same, or {grip} with the name of a state, when a pointer goes down. It
  // returns null or what follows the pointer: over(to) and drop(to).
  constructor(pick, grab = () => null) {
    this.#view.addEventListener('wheel', event => this.#wheel(event), { passive: false });
    this.#view.addEventListener('keydown', event => this.#key(event));
    this.#drag(pick, grab);
    new ResizeObserver(entries => {
      this.#room = entries.at(-1).contentRect; // asking the view would lay out the page
      if (!this.#touched) this.#fit(legible);
    }).observe(this.#view);
    for (const button of document.querySelectorAll('#zoom button')) {
      button.addEventListener('click', () => this.#button(button.dataset.zoom));
    }
  }

  // load shows another picture. The page's policy allows no style elements, so the
  // style of the picture becomes a style sheet. With stay, it is where the one before was.
  load(text, name, stay = false) {
    let style = '';
    const drawing = text.replace(/<style[^>]*>([^]*?)<\/style>\n?/g, (_, css) => {
      style += css.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, '');
      return '';
    });
    for (const name of this.#lit.keys()) this.#set(name, []);
    this.#root.querySelector('.grip')?.remove();
    this.#patch(drawing);
    if (this.#styled !== style) {
      this.#styled = style;
      this.#style.replaceSync(style);
      const page = new CSSStyleSheet();
      page.replaceSync(lights);
      this.#root.adoptedStyleSheets = [this.#style, page];
    }
    this.#states = index(this.#svg, 'data-state');
    this.#transitions = index(this.#svg, 'data-transition');
    this.#view.setAttribute('aria-label', `Statechart ${visible(name)}`);
    if (stay && this.#touched) {
      this.#move(this.#at.x, this.#at.y, this.#at.scale);
      return;
    }
    this.#touched = false;
    this.#fit(legible);
  }

  // patch makes the picture another one. Pieces that stay stay in the page, and those that are the same but
  // elsewhere are moved: a browser takes long for new ones.
  #patch(drawing) {
    const { head, pieces: known } = piecesOf(drawing);
    let pieces = known;
    const old = Map.groupBy(this.#pieces, piece => piece.key);
    for (const piece of pieces) piece.node = old.get(piece.key)?.shift()?.node;
    const fresh = pieces.filter(piece => !piece.node);
    let read = parse(`${head}${fresh.map(piece => piece.text).join('')}</svg>`);
    if (read.localName === 'svg' && read.childElementCount === fresh.length) {
      [...read.children].forEach((node, i) => { fresh[i].node = node; });
    } else { // it was not drawn to be taken apart
      read = parse(drawing);
      if (read.localName !== 'svg') throw new Error('cannot read the picture: it is not an SVG');
      pieces = [...read.children].map(node => ({ node }));
    }
    for (const { node, moved } of pieces) if (moved && node.getAttribute('transform') !== moved) node.setAttribute('transform', moved);
    const { width, height } = read.viewBox.baseVal ?? {};
    this.#size = { width: width || read.width.baseVal.value || 1, height: height || read.height.baseVal.value || 1 };
    if (!this.#svg) {
      this.#svg = document.importNode(read, false);
      for (const name of ['width', 'height', 'viewBox']) this.#svg.removeAttribute(name); // another size would lay out all
      this.#svg.setAttribute('aria-hidden', 'true'); // the outline says it in words
      this.#root.replaceChildren(this.#svg);
    }
    place(this.#svg, pieces.map(piece => piece.node));
    this.#pieces = pieces;
  }

  // light lights the active states, the transitions that were taken, and those
  // that an event would take, or the state that something would go to. The classes are those of package diagram.
  light({ active, taken, would }) {
    const all = (index, names) => names.flatMap(name => index.get(name) ?? []);
    this.#set('active', [...all(this.#states, active), ...all(this.#transitions, taken)]);
    this.#set('highlight', [...all(this.#states, would), ...all(this.#transitions, would)]);
  }

  // point marks a state or a transition: it is the one that is edited. With grip, the state has a handle.
  point({ state, transition }, grip = false) {
    this.#set('pointed', this.#states.get(state) ?? this.#transitions.get(transition) ?? []);
    this.#root.querySelector('.grip')?.remove();
    const of = grip && this.#states.get(state)?.[0], shape = of && of.querySelector('.box, .frame, .region');
    if (!shape) return;
    const at = name => Number(shape.getAttribute(name));
    const x = at('x') + at('width') + at('cx') + at('r'), y = at('y') + at('cy') - at('r');
    const make = (name, attributes) => {
      const node = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      return node;
    };
    const handle = make('g', { class: 'grip', 'data-grip': state, transform: `translate(${x} ${y})` });
    const title = make('title', {});
    title.textContent = 'Drag onto another state to move it in there';
    handle.append(title, make('circle', { r: 12 }), make('path', { d: 'M-7 0H7M0-7V7M-5-2L-7 0L-5 2M5-2L7 0L5 2M-2-5L0-7L2-5M-2 5L0 7L2 5' }));
    of.append(handle);
  }

  #set(name, elements) {
    const now = new Set(elements);
    const old = this.#lit.get(name) ?? new Set();
    for (const element of old) if (!now.has(element)) element.classList.remove(name);
    for (const element of now) if (!old.has(element)) element.classList.add(name);
    this.#lit.set(name, now);
  }

  // fit shows the whole picture, unless that makes it smaller than scale at.
  #fit(at) {
    const { width, height } = this.#room;
    if (!this.#svg || width === 0) return;
    const room = width < 500 ? 8 : 24;
    const scale = Math.max(at, Math.min(1.25, (width - room) / this.#size.width, (height - room) / this.#size.height));
    const middle = (room, size) => scale > at ? (room - size * scale) / 2 : Math.max(8, (room - size * scale) / 2);
    this.#move(middle(width, this.#size.width), middle(height, this.#size.height), scale);
  }

  // follow moves the picture so that states are in view, or the first of them if
  // there is no room for all, unless a person has moved it. It measures, so not
  // more often than the eye needs.
  follow = latest(async names => {
    if (this.#touched || this.#view.hidden) return;
    const view = this.#view.getBoundingClientRect();
    const around = nodes => {
      const boxes = nodes.map(node => node.getBoundingClientRect());
      return {
        left: Math.min(...boxes.map(box => box.left)) - view.left, right: Math.max(...boxes.map(box => box.right)) - view.left,
        top: Math.min(...boxes.map(box => box.top)) - view.top, bottom: Math.max(...boxes.map(box => box.bottom)) - view.top,
      };
    };
    const nodes = names.flatMap(name => this.#states.get(name) ?? []);
    if (nodes.length === 0) return;
    let box = around(nodes);
    if (box.right - box.left > view.width || box.bottom - box.top > view.height) box = around(nodes.slice(0, 1));
    const { left, right, top, bottom } = box;
    if (left >= 0 && top >= 0 && right <= view.width && bottom <= view.height) return;
    this.#move(this.#at.x + (view.width - left - right) / 2, this.#at.y + (view.height - top - bottom) / 2, this.#at.scale);
  }, 250);

  #move(x, y, scale) {
    this.#at = { x, y, scale };
    if (this.#svg) this.#svg.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #pan(dx, dy) {
    this.#touched = true;
    // Some of the picture stays in view.
    const { clientWidth, clientHeight } = this.#view;
    const { x, y, scale } = this.#at;
    const keep = 40;
    this.#move(
      Math.min(clientWidth - keep, Math.max(keep - this.#size.width * scale, x + dx)),
      Math.min(clientHeight - keep, Math.max(keep - this.#size.height * scale, y + dy)), scale);
  }

  #zoom(factor, x = this.#view.clientWidth / 2, y = this.#view.clientHeight / 2) {
    this.#touched = true;
    const scale = Math.min(most, Math.max(least, this.#at.scale * factor));
    const by = scale / this.#at.scale;
    this.#move(x - (x - this.#at.x) * by, y - (y - this.#at.y) * by, scale);
  }

  #button(what) {
    if (what === 'fit') {
      this.#touched = true;
      this.#fit(least);
    } else {
      this.#zoom(what === 'in' ? 1.25 : 0.8);
    }
  }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      const box = this.#view.getBoundingClientRect();
      this.#zoom(Math.exp(-event.deltaY * unit / 300), event.clientX - box.left, event.clientY - box.top);
    } else {
      this.#pan(-event.deltaX * unit, -event.deltaY * unit);
    }
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      ArrowLeft: () => this.#pan(40, 0), ArrowRight: () => this.#pan(-40, 0),
      ArrowUp: () => this.#pan(0, 40), ArrowDown: () => this.#pan(0, -40),
      '+': () => this.#zoom(1.25), '=': () => this.#zoom(1.25), '-': () => this.#zoom(0.8), 0: () => this.#button('fit'),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  // One pointer moves the picture, two zoom it.
  #drag(pick, grab) {
    const pointers = new Map();
    let clicked = null;
    let held = null; // what grab has returned
    const under = event => this.#root.elementFromPoint(event.clientX, event.clientY)?.closest('[data-transition], [data-state]')?.dataset ?? {};
    const place = event => {
      const box = this.#view.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    };
    this.#view.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.#view.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, place(event));
      this.#view.classList.add('dragged');
      clicked = event.composedPath()[0].closest('[data-transition], [data-state], [data-grip]');
      held = pointers.size === 1 && clicked ? grab(clicked.dataset) : null;
    });
    this.#view.addEventListener('pointermove', event => {
      const from = pointers.get(event.pointerId);
      if (!from || pointers.size > 2) return;
      const to = place(event);
      if (Math.hypot(to.x - from.x, to.y - from.y) > 3) clicked = null; // it is a drag
      if (held && pointers.size === 1) {
        if (!clicked) held.over(under(event));
        return;
      }
      if (pointers.size === 1) {
        this.#pan(to.x - from.x, to.y - from.y);
        pointers.set(event.pointerId, to);
        return;
      }
      const before = spread();
      pointers.set(event.pointerId, to);
      const after = spread();
      this.#pan(after.x - before.x, after.y - before.y);
      if (before.distance > 0) this.#zoom(after.distance / before.distance, after.x, after.y);
    });
    const end = event => {
      pointers.delete(event.pointerId);
      if (pointers.size === 0) this.#view.classList.remove('dragged');
    };
    this.#view.addEventListener('pointerup', event => {
      const picked = pointers.has(event.pointerId) && clicked; // another button of the mouse picks nothing
      end(event);
      const dropped = held && !clicked;
      if (dropped) held.drop(under(event));
      held = null;
      clicked = null;
      if (picked) pick(picked.dataset);
    });
    this.#view.addEventListener('pointercancel', end);
  }
}

const parse = text => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;

// piecesOf returns the start tag of a drawing, and the elements in it: {text, key, moved}. Two with one key
// differ in nothing but the transform that moves them.
function piecesOf(drawing) {
  const all = [...drawing.matchAll(/^<(?:g|a)\b[^]*?<\/(?:g|a)>$|^<rect class="paper".*$/gm)];
  return {
    head: drawing.slice(0, all[0]?.index).replace(/<\/svg>\s*$/, ''),
    pieces: all.map(([text]) => {
      const [found, moved] = / transform="([^"]*)"/.exec(text) ?? ['', ''];
      return { text, key: text.replace(found, ''), moved };
    }),
  };
}

function index(svg, attribute) {
  const found = new Map();
  for (const node of svg.querySelectorAll(`[${attribute}]`)) {
    const name = node.getAttribute(attribute);
    found.set(name, [...found.get(name) ?? [], node]);
  }
  return found;
}

// What the page adds to the style of package diagram: containers stay pale, so
// that the innermost active states are what one sees.
const lights = `
  svg { position: absolute; width: 1px; height: 1px; transform-origin: 0 0; overflow: visible; }
  .chart .paper { fill: none; }
  .chart .active .box { fill: var(--tint); stroke: var(--accent); stroke-width: 2.5px; }
  .chart .active :is(.frame, .region) { fill: var(--faint); stroke: var(--accent); }
  .chart .active .region { stroke: none; }
  .chart .active :is(.edge, .rule, .inner) { stroke: var(--accent); }
  .chart .active .arrow { fill: var(--accent); }
  .chart .active :is(.title, .name, .event) { fill: var(--accent); }
  .chart .pointed > :is(.box, .frame, .region, .edge), .chart .pointed > path { stroke: var(--warm); stroke-width: 3px; }
  .chart .grip { cursor: move; }
  .chart .grip circle { fill: var(--panel); stroke: var(--warm); stroke-width: 1.5px; }
  .chart .grip path { stroke: var(--warm); stroke-width: 1.5px; }
  [data-transition] { cursor: pointer; }
  [data-transition] path { pointer-events: stroke; }
`;

// Outline lists the states as nested lists, for those who do not see the picture.
export class Outline {
  #view = $('#outline');
  #items = new Map();

  load(chart) {
    this.#items.clear();
    const lists = new Map([[null, el('ul')]]);
    for (const state of chart.states) {
      if (state.kind === 'scxml') continue;
      const list = el('ul');
      const mark = el('span', { class: 'mark' });
      const item = el('li', {}, el('span', { class: 'name' }, state.name),
        state.kind === 'state' ? null : el('span', { class: 'fade' }, ` ${state.kind}`), mark, list);
      lists.set(state.name, list);
      this.#items.set(state.name, { item, mark });
      (lists.get(state.parent) ?? lists.get(null)).append(item);
    }
    for (const list of lists.values()) if (!list.hasChildNodes()) list.remove();
    this.#view.replaceChildren(lists.get(null));
  }

  light({ active }) {
    const now = new Set(active);
    for (const [name, { item, mark }] of this.#items) {
      const is = now.has(name);
      if (item.classList.toggle('active', is) !== (mark.textContent !== '')) mark.textContent = is ? ' active' : '';
    }
  }
}
