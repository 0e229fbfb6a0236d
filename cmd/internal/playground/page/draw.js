// The picture of the document, which can be edited: by mouse, finger and keyboard. Each change is an
// operation on the text, see package editor. The list of states is a tree for the keyboard and for those
// who do not see the picture.

import { Found } from './found.js';
import { suggest } from './suggest.js';
import { place } from './inspect/dom.js';
import { Picture } from './inspect/picture.js';
import { visible } from './inspect/visible.js';

const $ = selector => document.querySelector(selector);
const calm = 60; // ms after a change before the picture is drawn

const stateFields = [['id', 'Name', 'rename-state', 'to'], ['onentry', 'When entered', 'set-onentry', 'actions'], ['onexit', 'When left', 'set-onexit', 'actions']];
const transitionFields = [['event', 'Event', 'set-event', 'event'], ['cond', 'Condition', 'set-cond', 'cond'], ['target', 'Target', 'set-target', 'to'], ['actions', 'Actions', 'set-actions', 'actions']];
const kinds = ['state', 'parallel', 'final', 'history', 'deep-history'];

export class Draw {
  #engine;
  #host; // text: of the document; change(text): another one; go(line)
  #chart = { states: [], transitions: [] };
  #selected = ''; // the name of a state or a transition; a transition has a slash
  #mode = null; // link or move: the next state that is picked is the target
  #of = ''; // the state that the picture shows; '' for the chart
  #closed = new Set(); // states that are collapsed in the tree
  #drawn = null; // the text
  #waiting = 0;
  #last = Promise.resolve(); // what was asked for last
  #naming = 0; // how many states and transitions are being added, whose names are typed next
  #lit = { active: [], taken: [], would: [] };
  #copied = ''; // XML of a state or a transition
  #picture;
  #found;

  constructor(engine, host) {
    this.#engine = engine;
    this.#host = host;
    this.#picture = new Picture(({ state, transition }) => this.#pick(transition ?? state), data => this.#grab(data));
    this.#found = new Found(engine, {
      get text() { return host.text; },
      innermost: states => states.filter(name => !states.some(other => this.#state(other)?.parent === name)),
      show: step => this.#show(step),
      say: text => this.#say(text),
    });
    for (const button of document.querySelectorAll('#tools button')) {
      button.addEventListener('click', () => this.#attempt(() => this.#do(button.dataset.do)));
    }
    $('#tree').addEventListener('keydown', event => this.#key(event));
    $('#picture').addEventListener('keydown', event => this.#shortcut(event));
    $('#tree').addEventListener('click', event => {
      const item = event.target.closest('[role=treeitem]');
      if (item) this.#pick(item.dataset.name);
    });
    $('#whole').addEventListener('click', () => this.#open(''));
  }

  // changed says that the text has. The picture is drawn after a wait: more may be typed.
  changed(wait = calm) {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#attempt(() => this.#draw()), wait);
  }

  // light shows the active states of the session, if it is of this text.
  light(active) {
    if (!this.#found.shown) this.#light({ active, taken: [] });
  }

  #light(lit) {
    this.#lit = { ...this.#lit, ...lit };
    this.#picture.light(this.#lit);
  }

  // show shows a step that a search has found in place of the session; null shows that again.
  #show(step) {
    const { active, taken } = step ?? { active: [], taken: [] };
    this.#light({ active, taken });
    this.#picture.follow(active);
    const one = this.#transition(taken.at(-1)) ?? this.#state(active.at(-1));
    if (one) this.#host.go(one.line);
    if (!step) this.#host.drawn();
  }

  async #draw() {
    const { text } = this.#host;
    if (!this.shown || text === this.#drawn) return;
    const chart = await this.#engine.ask('POST', `/draw?${new URLSearchParams({ of: this.#of })}`, text);
    if (text === this.#host.text) this.#take(text, chart);
  }

  // take shows the drawing of a text.
  #take(text, chart) {
    const first = this.#drawn === null;
    if (!first) this.#found.close(); // it is of another text
    this.#drawn = text;
    this.#chart = chart;
    this.#of = chart.of ?? '';
    $('#part').textContent = chart.part ?? '';
    $('#whole').hidden = this.#of === '';
    if (chart.svg) this.#picture.load(chart.svg, '', !first);
    if (!this.#state(this.#selected) && !this.#transition(this.#selected)) this.#selected = chart.states[0]?.name ?? '';
    this.#tree();
    this.#form();
    this.#point();
    if (this.#found.shown) this.#light({}); // a step, in a part of the picture
    this.#host.drawn();
  }

  get shown() { return $('#drawing').checkVisibility(); }

  #state(name) { return this.#chart.states.find(one => one.name === name); }

  #transition(name) { return this.#chart.transitions.find(one => one.name === name); }

  async #open(name) {
    this.#of = name;
    this.#drawn = null;
    await this.#draw();
  }

  // operate changes the text. It returns whether that was done.
  async operate(op, select) {
    const { text } = this.#host;
    const of = op.op === 'rename-state' && op.state === this.#of ? op.to : this.#of;
    const answer = await this.#engine.ask('POST', `/edit?${new URLSearchParams({ of })}`, JSON.stringify({ source: text, op }));
    if (answer.uses) return this.#ask(op, answer.uses, select);
    if (answer.error) {
      this.#say(answer.error, true);
      return false;
    }
    if (text !== this.#host.text) return false;
    this.#say('');
    if (select) this.#selected = select;
    this.#host.change(answer.source, answer.at);
    clearTimeout(this.#waiting);
    this.#take(answer.source, answer.drawing);
    return true;
  }

  // ask shows what would dangle, and then deletes.
  #ask(op, uses, select) {
    const dialog = $('#dangling');
    $('#dangling ul').replaceChildren(...uses.map(({ line, text }) => {
      const li = document.createElement('li');
      li.textContent = `line ${line}: ${text}`;
      return li;
    }));
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise(resolve => {
      dialog.addEventListener('close', () => {
        const uses = dialog.returnValue;
        resolve(uses === 'delete' || uses === 'keep' ? this.operate({ ...op, uses }, select) : false);
      }, { once: true });
    });
  }

  #say(text, bad = false) {
    $('#told').textContent = String(visible(text, 1000, true));
    $('#told').className = bad ? 'error' : '';
  }

  // attempt does work after what was asked for before: each operation is one on the text that the one before
  // has made.
  #attempt(work) {
    this.#last = this.#last.then(work).catch(error => this.#say(error.message, true));
    return this.#last;
  }

  // free returns an id that no state has.
  #free(name, i = 1) {
    const id = i === 0 ? name : `${name}${i}`;
    return this.#chart.states.some(one => one.id === id) ? this.#free(name, i + 1) : id;
  }

  // numbered returns the transitions of a state without a default one.
  #numbered(source) { return this.#chart.transitions.filter(one => one.source === source && /\/\d+$/.test(one.name)); }

  // near returns the state that is selected, or the source of the transition that is.
  #near() { return this.#state(this.#selected) ?? this.#state(this.#transition(this.#selected)?.source); }

  async #do(what) {
    const state = this.#near(), transition = this.#transition(this.#selected);
    if (what === 'undo' || what === 'redo') {
      this.#host[what]();
      return;
    }
    if (!state) throw new Error('the document has no chart');
    const inside = state.kind === 'scxml', id = this.#free('s');
    const needState = () => { if (inside) throw new Error('choose a state first: this is the chart itself'); };
    const remove = () => {
      if (transition) return this.operate({ op: 'delete-transition', transition: transition.name }, transition.source);
      needState();
      return this.operate({ op: 'delete-state', state: state.name }, state.parent);
    };
    const added = op => this.#add(op, id, 'id');
    switch (what) {
      case 'inside':
        await added({ op: 'add-state', ...(inside ? {} : { in: state.name }), id });
        break;
      case 'beside':
        await added(inside ? { op: 'add-state', id } : { op: 'add-state-beside', state: state.name, id });
        break;
      case 'region': {
        needState();
        const rest = state.kind !== 'parallel' && this.#chart.states.some(one => one.parent === state.name) ? { rest: this.#free(`${state.id || 'state'}-rest`, 0) } : {};
        await added({ op: 'add-region', state: state.name, id, ...rest });
        break;
      }
      case 'initial':
        needState();
        await this.operate({ op: 'make-initial', state: state.name });
        break;
      case 'link': case 'move':
        needState();
        this.#mode = { what, from: state.name };
        this.#say(what === 'link' ? `Choose the state to which the transition of ${state.name} leads; Escape ends this.` : `Choose the state to move ${state.name} into, or the chart; Escape ends this.`);
        break;
      case 'up': case 'down': {
        if (transition) {
          const [, number] = /\/(\d+)$/.exec(transition.name) ?? [];
          const of = this.#numbered(transition.source).length;
          const to = Number(number) + (what === 'up' ? -1 : 1);
          if (!number || to < 1 || to > of) return;
          const before = what === 'up' ? to : to + 1;
          await this.operate({ op: 'order-transition', transition: transition.name, ...(before > of ? {} : { before: String(before) }) }, `${transition.source}/${to}`);
          return;
        }
        needState();
        const beside = this.#chart.states.filter(one => one.parent === state.parent);
        const i = beside.indexOf(state);
        const next = what === 'up' ? beside[i - 1] : beside[i + 2];
        if (what === 'up' ? i > 0 : i + 1 < beside.length) await this.operate({ op: 'order-state', state: state.name, ...(next ? { before: next.name } : {}) });
        break;
      }
      case 'copy': case 'cut': {
        if (!transition) needState();
        const { name } = transition ?? state;
        this.#copied = await this.#engine.ask('POST', `/copy?${new URLSearchParams({ of: name })}`, this.#host.text);
        if (what === 'cut') await remove();
        else this.#say(`${name} is copied.`);
        break;
      }
      case 'paste':
        if (!this.#copied) throw new Error('nothing is copied');
        if (this.#copied.startsWith('<transition')) {
          needState();
          await this.operate({ op: 'paste-transitions', from: state.name, text: this.#copied }, `${state.name}/${this.#numbered(state.name).length + 1}`);
        } else await this.operate({ op: 'paste-states', ...(inside ? {} : { in: state.name }), text: this.#copied });
        break;
      case 'delete':
        await remove();
        break;
      case 'explore': // others need not wait for the search
        this.#found.ask().catch(error => this.#say(error.message, true));
        break;
      case 'open':
        await this.#open(inside ? '' : state.name);
    }
  }

  // add adds a state or a transition, and lets the person type its name. Until that is possible, letters are
  // not taken for other commands.
  async #add(op, select, name) {
    this.#naming++;
    try {
      if (!await this.operate(op, select)) return;
      const field = $(`#fields [name=${name}]`);
      field?.focus();
      field?.select();
    } finally {
      this.#naming--;
    }
  }

  // pick selects a state or a transition, or takes it as the target.
  #pick(name) {
    const mode = this.#mode;
    if (mode && this.#state(name)) {
      this.#mode = null;
      this.#say('');
      this.#attempt(() => (mode.what === 'link' ? this.#link(mode.from, name) : this.#move(mode.from, name)));
      return;
    }
    if (name === undefined || !this.#state(name) && !this.#transition(name)) return;
    this.#selected = name;
    const { line } = this.#state(name) ?? this.#transition(name);
    this.#host.go(line);
    this.#tree();
    this.#form();
    this.#point();
  }

  async #link(from, to) {
    const number = this.#numbered(from).length + 1;
    const known = new Set(this.#chart.transitions.filter(one => one.source === from).map(one => one.event));
    let event = 'go';
    for (let i = 2; known.has(event); i++) event = `go${i}`;
    await this.#add({ op: 'add-transition', from, to, event }, `${from}/${number}`, 'event');
  }

  #move(name, to) {
    return this.operate({ op: 'move-state', state: name, ...(this.#state(to)?.kind === 'scxml' ? {} : { in: to }) }, name);
  }

  // grab begins to draw a transition from the selected state, or to move it by its handle; from others, the
  // picture is moved.
  #grab({ state, grip }) {
    const from = grip ?? state;
    if (from !== this.#selected || this.#near()?.kind === 'scxml') return null;
    const chart = grip && this.#chart.states[0].name; // what is between the states
    const isTarget = to => to && (grip || this.#state(to)?.kind !== 'scxml');
    return {
      over: ({ state: to = chart }) => {
        this.#light({ would: isTarget(to) ? [to] : [] });
        this.#say(!isTarget(to) ? '' : !grip ? `${from} → ${to}` : `move ${from} into ${to === chart ? 'the chart' : to}`);
      },
      drop: ({ state: to = chart }) => {
        this.#say('');
        this.#light({ would: [] });
        if (isTarget(to)) this.#attempt(() => (grip ? this.#move(from, to) : this.#link(from, to)));
      },
    };
  }

  #point() {
    if (this.#transition(this.#selected)) this.#picture.point({ transition: this.#selected });
    else this.#picture.point({ state: this.#selected }, this.#state(this.#selected)?.kind !== 'scxml');
  }

  // tree shows the states and transitions. The focus stays with the one that is selected.
  #tree() {
    const tree = $('#tree');
    const had = tree.contains(document.activeElement);
    const before = new Map([...tree.children].map(li => [li.dataset.key, li])); // those that stay the same stay
    const item = (name, label, level, expanded) => {
      const key = JSON.stringify([name, label, level, expanded, name === this.#selected]);
      if (before.has(key)) return before.get(key);
      const li = document.createElement('li');
      li.dataset.key = key;
      li.setAttribute('role', 'treeitem');
      li.setAttribute('aria-level', level);
      li.setAttribute('aria-selected', name === this.#selected);
      if (expanded !== null) li.setAttribute('aria-expanded', expanded);
      li.setAttribute('aria-label', String(visible(label, 200, true)));
      li.dataset.name = name;
      li.tabIndex = name === this.#selected ? 0 : -1;
      const text = document.createElement('span');
      text.textContent = String(visible(label, 60, true));
      text.style.paddingInlineStart = `${level * 12 - 8}px`;
      li.append(text);
      return li;
    };
    const all = [];
    const moves = Map.groupBy(this.#chart.transitions, one => one.source);
    const inside = Map.groupBy(this.#chart.states, one => one.parent);
    const add = (state, level) => {
      const children = [...moves.get(state.name) ?? []], states = inside.get(state.name) ?? [];
      const open = !this.#closed.has(state.name);
      const kind = state.kind === 'scxml' ? 'chart' : state.kind;
      all.push(item(state.name, state.kind === 'scxml' ? 'Chart' : `${state.name}, ${kind}`, level, children.length + states.length > 0 ? open : null));
      if (!open) return;
      for (const move of children) all.push(item(move.name, `${move.event || 'always'}${move.cond ? ` if ${move.cond}` : ''} → ${move.target || 'nowhere'}`, level + 1, null));
      for (const child of states) if (child.name !== state.name) add(child, level + 1);
    };
    if (this.#chart.states.length > 0) add(this.#chart.states[0], 1);
    place(tree, all);
    const now = tree.querySelector('[tabindex="0"]');
    if (!now && all.length > 0) all[0].tabIndex = 0;
    for (const li of all) if (li !== now && now && li.tabIndex === 0) li.tabIndex = -1; // a target was looked for
    if (had) tree.querySelector('[tabindex="0"]').focus();
    else now?.scrollIntoView({ block: 'nearest' });
  }

  #key(event) {
    const items = [...$('#tree').children];
    const i = items.indexOf(document.activeElement);
    const go = to => {
      if (to < 0 || to >= items.length) return;
      if (this.#mode) { // look for the target without choosing it
        for (const item of items) item.tabIndex = -1;
        items[to].tabIndex = 0;
        items[to].focus();
      } else this.#pick(items[to].dataset.name);
    };
    const name = items[i]?.dataset.name;
    const keys = {
      ArrowDown: () => go(i + 1), ArrowUp: () => go(i - 1), Home: () => go(0), End: () => go(items.length - 1),
      ArrowRight: () => {
        if (this.#closed.delete(name)) this.#tree();
        else go(i + 1);
      },
      ArrowLeft: () => {
        if (items[i]?.getAttribute('aria-expanded') === 'true') {
          this.#closed.add(name);
          this.#tree();
        } else this.#pick(this.#state(name)?.parent || this.#transition(name)?.source || name);
      },
      Enter: () => (this.#mode ? this.#pick(name) : $('#fields input, #fields textarea')?.focus()),
    };
    if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
      return;
    }
    this.#shortcut(event);
  }

  // shortcut knows keys that do the same as buttons, which have them as aria-keyshortcuts.
  #shortcut(event) {
    if (event.key === 'Escape' && this.#mode) {
      this.#mode = null;
      this.#say('');
      this.#tree();
      return;
    }
    const name = [event.ctrlKey || event.metaKey ? 'Control' : '', event.altKey ? 'Alt' : '', event.key.length === 1 ? event.key.toUpperCase() : event.key].filter(Boolean).join('+');
    const button = [...document.querySelectorAll('#tools button')].find(one => one.getAttribute('aria-keyshortcuts') === name);
    if (!button) return;
    event.preventDefault();
    if (this.#naming > 0 && name.length === 1) return;
    button.click();
  }

  // form shows what can be changed of the one that is selected.
  #form() {
    const state = this.#state(this.#selected), transition = this.#transition(this.#selected);
    const one = transition ?? state;
    const fields = $('#fields');
    const key = JSON.stringify([one, state?.kind]);
    if (fields.dataset.key === key) return;
    fields.dataset.key = key;
    const had = fields.contains(document.activeElement) ? document.activeElement : null;
    const { name: field, value: typed, defaultValue: before, selectionStart: at } = had ?? {};
    fields.replaceChildren();
    if (!one || state?.kind === 'scxml') return;
    const labelled = (name, text, control) => {
      const label = document.createElement('label');
      const span = document.createElement('span');
      span.textContent = text;
      control.name = name;
      control.id = `field-${name}`;
      label.append(span, control);
      fields.append(label);
      return control;
    };
    for (const [name, text, op, argument] of transition ? transitionFields : stateFields) {
      const long = argument === 'actions';
      const control = labelled(name, text, document.createElement(long ? 'textarea' : 'input'));
      control.defaultValue = one[name];
      control.spellcheck = false;
      control.autocomplete = 'off';
      control.addEventListener('change', () => this.#attempt(async () => {
        const select = op === 'rename-state' ? control.value : undefined;
        const of = transition ? { transition: one.name } : { state: one.name };
        if (!await this.operate({ op, ...of, [argument]: control.value }, select)) control.setAttribute('aria-invalid', 'true');
        else control.removeAttribute('aria-invalid');
      }));
      const ask = (value, at) => this.#complete({ op, ...(transition ? { transition: one.name } : { state: one.name }), [argument]: value }, argument, at);
      if (long) suggest(control, ask, text => this.#say(text));
      else if (transition) this.#completes(control, ask);
      control.addEventListener('keydown', event => {
        if (event.key === 'Escape') {
          control.value = one[name];
          $('#tree [tabindex="0"]')?.focus();
        }
        if (event.key === 'Enter' && !long) {
          event.preventDefault();
          control.blur(); // which is the change
          $('#tree [tabindex="0"]')?.focus();
        }
      });
    }
    if (state) {
      const kind = labelled('kind', 'Kind', document.createElement('select'));
      kind.append(...kinds.map(name => new Option(name, name, name === state.kind, name === state.kind)));
      kind.addEventListener('change', () => this.#attempt(async () => {
        if (!await this.operate({ op: 'set-kind', state: state.name, kind: kind.value })) kind.value = state.kind;
      }));
    } else {
      const type = labelled('type', 'Type', document.createElement('select'));
      type.append(...['external', 'internal'].map(name => new Option(name, name, name === transition.type, name === transition.type)));
      type.addEventListener('change', () => this.#attempt(() => this.operate({ op: 'set-type', transition: transition.name, type: type.value })));
    }
    const again = had && fields.querySelector(`[name="${field}"]`);
    again?.focus();
    if (again && before !== undefined && typed !== before && typed !== again.value) { // meanwhile, in another field than the one that has changed
      again.select();
      document.execCommand('insertText', false, typed);
      again.setSelectionRange(at, at);
    }
  }

  // complete asks for what the language server offers at a place in an argument.
  #complete(op, argument, at) {
    return this.#engine.ask('POST', `/complete?${new URLSearchParams({ argument, at })}`, JSON.stringify({ source: this.#host.text, op }));
  }

  // completes offers it in a field of one line.
  #completes(control, ask) {
    const list = document.createElement('datalist');
    list.id = `list-${control.name}`;
    control.setAttribute('list', list.id);
    control.after(list);
    const offer = () => this.#attempt(async () => {
      const { value } = control;
      const { from, to, items } = await ask(value, value.length);
      list.replaceChildren(...items.map(({ insert }) => value.slice(0, from) + insert + value.slice(to)).map(text => new Option(text, text)));
    });
    control.addEventListener('input', offer);
    control.addEventListener('focus', offer, { once: true });
  }
}
