// What a search has found: the mistakes of the chart, and the steps that lead to one. Each step is shown in the
// picture as the running state is.

import { $, el, place, visible } from './inspect/dom.js';

export class Found {
  #engine;
  #host; // text: of the document; innermost(states); show(step): in the picture, null for none; say(text)
  #violations = [];
  #steps = [];
  #at = 0;

  constructor(engine, host) {
    this.#engine = engine;
    this.#host = host;
    $('#found-what').addEventListener('change', event => this.#open(Number(event.target.value)));
    $('#found-close').addEventListener('click', () => this.close());
    $('#steps').addEventListener('click', event => {
      const option = event.target.closest('[role=option]');
      if (option) this.#go([...$('#steps').children].indexOf(option));
    });
    $('#steps').addEventListener('keydown', event => this.#key(event));
  }

  get shown() { return !$('#found').hidden; }

  close() {
    if (!this.shown) return;
    $('#found').hidden = true;
    this.#host.show(null);
  }

  // ask asks for what to look for, and looks.
  ask() {
    const dialog = $('#search');
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise(resolve => {
      dialog.addEventListener('close', () => {
        resolve(dialog.returnValue === 'search' ? this.#search(Object.fromEntries(new FormData($('#search form')))) : null);
      }, { once: true });
    });
  }

  async #search(properties) {
    const { text } = this.#host;
    this.close();
    this.#host.say('Searching…');
    const { verdict, bound, states, left_out: leftOut, violations } = await this.#engine.ask('POST', '/explore', JSON.stringify({ source: text, ...properties }));
    if (text !== this.#host.text) return this.#host.say('The document has changed during the search.');
    const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const reasons = (leftOut ?? []).length > 0 ? ` Not tried: ${leftOut.join('; ')}.` : '';
    const said = `${violations.length > 0 ? count(violations.length, 'mistake') : `${verdict}${bound ? ` (${bound})` : ''}`}: ${count(states, 'state')} visited.${reasons}`;
    this.#host.say(said);
    this.#violations = violations;
    if (violations.length === 0) return null;
    $('#found').hidden = false;
    $('#found-what').replaceChildren(...violations.map((_, i) => new Option(`${i + 1} of ${violations.length}`, i)));
    $('#found-what').hidden = violations.length === 1;
    this.#open(0);
    return this.#go(0);
  }

  #open(i) {
    const { text, steps, cycle } = this.#violations[i];
    $('#found-text').textContent = String(visible(text, 1000, true));
    this.#steps = steps;
    place($('#steps'), steps.map(({ input, active, taken }, n) => {
      const again = cycle && n >= cycle ? ', again and again' : '';
      const where = this.#host.innermost(active).join(', ');
      return el('li', { role: 'option', 'aria-selected': 'false', tabindex: -1 }, el('span', {}, `${n + 1}. ${input}${again}`),
        el('span', { class: 'unseen' }, `. Taken: ${taken.join(', ') || 'nothing'}. Active: `), el('small', {}, where));
    }));
    this.#at = 0;
    this.#show();
  }

  #go(at) {
    this.#at = Math.max(0, Math.min(at, this.#steps.length - 1));
    this.#show();
    $('#steps').children[this.#at].focus();
  }

  #show() {
    for (const [i, option] of [...$('#steps').children].entries()) {
      option.setAttribute('aria-selected', String(i === this.#at));
      option.tabIndex = i === this.#at ? 0 : -1;
    }
    this.#host.show(this.#steps[this.#at]);
  }

  #key(event) {
    const keys = {
      ArrowDown: () => this.#go(this.#at + 1), ArrowUp: () => this.#go(this.#at - 1),
      Home: () => this.#go(0), End: () => this.#go(this.#steps.length - 1),
      Escape: () => {
        this.close();
        $('#tree [tabindex="0"]')?.focus();
      },
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  }
}
