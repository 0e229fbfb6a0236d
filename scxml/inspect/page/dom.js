// Making and changing elements.

import { joined, listed, visible } from './visible.js';

export { joined, listed, visible };

export const $ = (selector, root = document) => root.querySelector(selector);

const spoken = new Set(['title', 'aria-label', 'placeholder']);

// el makes an element. Properties that begin with "on" are listeners; true and
// false set and omit an attribute. Children are nodes or texts; null is left out. All
// of a text can be seen, and a long one is cut.
export function el(name, properties, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value != null) node.setAttribute(key, spoken.has(key) ? visible(value, 2000, true) : value);
  }
  const given = children.flat().filter(child => child != null);
  node.append(...given.map(child => child instanceof Node ? child : visible(child, 2000, true)));
  const long = given.length === 1 && String(given[0]).length > 2000; // then more of it is a title
  if (long && !(given[0] instanceof Node)) node.title = visible(given[0], 8000, true);
  return node;
}

// setText changes a text only if it differs: a screen reader repeats texts that
// are set again, and the browser lays them out again.
export function setText(node, text) {
  text = String(visible(text, 2000, true));
  if (node.textContent !== text) node.textContent = text;
}

// place makes nodes the children of a list, without moving those that are in
// place: a node that is moved loses the focus, and is styled and laid out again.
export function place(list, nodes) {
  const stay = new Set(nodes);
  for (const node of [...list.childNodes]) if (!stay.has(node)) node.remove();
  let at = list.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else list.insertBefore(node, at);
  }
}

// onFrame returns a function that asks for draw in the next frame, once.
export function onFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

// latest returns a function that runs work, one call at a time. While one is
// under way only the last of further calls is kept. Calls begin at least pause
// milliseconds apart.
export function latest(work, pause = 0) {
  let busy = false;
  let next = null;
  async function run(args) {
    busy = true;
    const began = performance.now();
    try {
      await work(...args);
    } finally {
      const rest = pause - (performance.now() - began);
      if (rest > 0) await new Promise(done => setTimeout(done, rest));
      busy = false;
      if (next) {
        const args = next;
        next = null;
        run(args);
      }
    }
  }
  return (...args) => {
    if (busy) next = args;
    else run(args);
  };
}

// time writes milliseconds of chart time.
export function time(ms) {
  if (ms < 1000) return `${Math.round(ms * 1000) / 1000} ms`;
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(3)} s`;
  const whole = Math.floor(s / 60);
  const rest = (s - whole * 60).toFixed(3).padStart(6, '0');
  if (whole < 60) return `${whole}:${rest}`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}:${rest}`;
}

export const count = n => n.toLocaleString('en');
