// The list of sessions.

import { $, el, joined, place, setText } from './dom.js';

const wide = 1100; // px, as in page.css: there the list is next to the rest

export class Sessions {
  #list = $('#session-list');
  #filter = $('#filter');
  #toggle = $('#toggle-sessions');
  #items = new Map();
  #all = [];
  #chosen = null;
  #open;
  #close;

  // open(id) shows a session, close(id) drops a branch.
  constructor(open, close) {
    this.#open = open;
    this.#close = close;
    this.#filter.addEventListener('input', () => this.#draw());
    this.#toggle.addEventListener('click', () => this.#show(!this.#shown));
    document.addEventListener('pointerdown', event => {
      if (innerWidth < wide && this.#shown && !event.target.closest('#sessions, #toggle-sessions')) this.#show(false);
    });
    document.addEventListener('keydown', event => {
      if (event.key === 'Escape' && this.#shown) {
        this.#show(false);
        this.#toggle.focus();
      }
    });
  }

  get #shown() {
    return document.body.classList.contains('with-sessions');
  }

  #show(on) {
    document.body.classList.toggle('with-sessions', on);
    this.#toggle.setAttribute('aria-expanded', on);
  }

  show(sessions, chosen) {
    if (sessions === this.#all && chosen === this.#chosen) return;
    const more = sessions.length > 1 && this.#all.length <= 1;
    this.#all = sessions;
    this.#chosen = chosen;
    if (more && innerWidth >= wide) this.#show(true);
    this.#draw();
  }

  #draw() {
    const text = this.#filter.value.trim().toLowerCase();
    const nodes = [];
    const seen = new Set();
    const add = (session, depth) => {
      if (seen.has(session.id)) return;
      seen.add(session.id);
      const matches = !text || `${session.name} ${session.chart} ${session.status}`.toLowerCase().includes(text);
      if (matches) nodes.push(this.#item(session, depth));
      for (const branch of this.#all) if (branch.branch?.of === session.id) add(branch, depth + 1);
    };
    const ids = new Set(this.#all.map(session => session.id));
    for (const session of this.#all) if (!session.branch || !ids.has(session.branch.of)) add(session, 0);
    place(this.#list, nodes);
    this.#filter.hidden = this.#all.length < 8;
    for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id);
  }

  #item(session, depth) {
    let item = this.#items.get(session.id);
    if (!item) {
      const name = el('span', { class: 'name' });
      const about = el('span', { class: 'fade' });
      const button = el('button', { class: 'session', onclick: () => {
        if (innerWidth < wide) this.#show(false);
        this.#open(session.id);
      } }, el('i', { 'aria-hidden': 'true' }), name, about);
      const node = el('li', {}, button);
      if (session.branch) node.append(el('button', { class: 'icon', 'aria-label': `Close the branch ${session.name}`, onclick: () => this.#close(session.id) }, '×'));
      item = { node, button, name, about };
      this.#items.set(session.id, item);
    }
    const { node, button, name, about } = item;
    node.style.marginInlineStart = `${Math.min(depth, 4)}rem`;
    button.dataset.status = session.status;
    if (session.id === this.#chosen) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
    setText(name, session.name);
    setText(about, session.branch ? `branch at ${session.branch.at}` : joined`${session.chart && session.chart !== session.name ? joined`${session.chart}, ` : ''}${status(session)}`);
    return node;
  }
}

// status says how a session is.
export function status(session) {
  if (session.status === 'unstarted') return 'not started';
  if (session.status === 'final') return joined`ended in ${session.final}`;
  return session.status;
}
