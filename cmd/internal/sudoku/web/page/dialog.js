// Dialogs shows the dialogs that the game describes, and tells it what the player does in them.

import { Camera } from './camera.js';
import { element as make } from './element.js';
import { ReadBoard } from './readboard.js';

export class Dialogs {
  #window;
  #tell;
  #after;
  #shown = null;
  #chosen = new Map(); // what the player has chosen and the game has not taken yet, by control
  #sheets = []; // of the cells of pictures
  #boards = new Map(); // those that are shown, by their controls
  #camera = null; // whose picture is shown
  #photo;

  // after is called when no dialog is open any more, and photo with the video of which a photo is taken.
  constructor(window, tell, after, photo) {
    this.#photo = photo;
    this.#window = window;
    this.#tell = tell;
    this.#after = after;
    window.addEventListener('cancel', event => {
      event.preventDefault();
      this.#close();
    });
    window.addEventListener('click', event => { if (event.target === window) this.#close(); });
  }

  // keepSheets adds pictures of cells to those of earlier readings, whose dialogs may come back.
  keepSheets(sheets) { this.#sheets.push(...sheets); }

  show(dialog) {
    if (this.#shown?.id !== dialog?.id) {
      this.#camera?.stop();
      this.#camera = null;
    }
    if (!dialog) {
      this.#shown = null;
      if (!this.#window.open) return;
      this.#window.close();
      this.#after();
      return;
    }
    if (this.#shown?.id === dialog.id) {
      this.#update(dialog);
      return;
    }
    this.#shown = dialog;
    this.#chosen.clear();
    this.#boards.clear();
    const form = make('form', { method: 'dialog' }, make('h2', { id: 'dialog-title' }, dialog.title));
    const buttons = make('footer');
    dialog.controls.forEach((control, at) => {
      const made = this.#make(control, at, dialog.id);
      (control.kind === 'button' ? buttons : form).append(made);
    });
    form.append(buttons);
    const submit = event => {
      event.preventDefault();
      const main = dialog.controls.findIndex(({ kind, main }) => kind === 'button' && main);
      if (main >= 0) this.#press(main);
    };
    form.addEventListener('submit', submit);
    form.addEventListener('keydown', event => { if (event.key === 'Enter' && event.target.matches('select, input[type=checkbox]')) submit(event); }); // browsers do not all submit there
    this.#window.replaceChildren(form);
    if (!this.#window.open) this.#window.showModal();
    (form.querySelector('[role=gridcell][tabindex="0"], [role=option][aria-selected=true], select, input:not([type=search]), .main') ?? form.querySelector('button'))?.focus();
    form.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'center' });
  }

  // close closes the window at once: keys that follow are for the board.
  #close() {
    if (!this.#shown) return;
    this.#tell({ do: 'close', dialog: this.#shown.id });
    this.show(null);
  }

  // update changes what the game has changed.
  #update(dialog) {
    this.#shown = dialog;
    dialog.controls.forEach((control, at) => {
      const shown = this.#window.querySelector(`[data-at="${at}"]`);
      if (control.kind === 'text' && !control.link && shown.textContent !== (control.text ?? '')) shown.textContent = control.text ?? '';
      else if (control.kind === 'choice') this.#updateChoice(shown, control, at);
      else if (control.kind === 'list') this.#updateRows(shown, control);
      else if (control.kind === 'board') this.#boards.get(at).show(control.board, this.#sheets);
      if ('disabled' in shown) shown.disabled = !!control.off;
    });
  }

  // updateChoice shows what is chosen, unless the game is still at what the player chose before: keys may be
  // faster than its answers.
  #updateChoice(select, control, at) {
    if (this.#chosen.has(at) && this.#chosen.get(at) !== control.at) return;
    this.#chosen.delete(at);
    select.value = control.at;
  }

  // updateRows changes the texts of a list that are others now.
  #updateRows(list, { rows = [] }) {
    list.querySelectorAll('[role=option] > span').forEach((line, i) => {
      rows[i]?.texts.forEach((text, j) => { if (line.children[j].textContent !== text) line.children[j].textContent = text; });
    });
  }

  #press(at) {
    if (this.#camera && this.#shown.controls[at].main) {
      if (!this.#camera.node.videoWidth) return; // it has not begun
      this.#photo(this.#camera.node);
    }
    this.#tell({ do: 'press', dialog: this.#shown.id, at });
  }

  #set(at, value) { this.#tell({ do: 'control', dialog: this.#shown.id, at, value }); }

  #make(control, at) {
    const mark = { 'data-at': at };
    switch (control.kind) {
      case 'text':
        if (control.link) return make('p', mark, make('a', { href: control.text, target: '_blank', rel: 'noopener' }, control.label));
        return make('p', { ...mark, role: 'status', class: control.dim ? 'dim' : '' }, control.text ?? '');
      case 'board': {
        const board = new ReadBoard(control.options, value => this.#set(at, value));
        board.show(control.board, this.#sheets);
        this.#boards.set(at, board);
        board.node.dataset.at = at;
        return board.node;
      }
      case 'camera':
        this.#camera = new Camera(control.label, ({ name, message }) => this.#tell({ do: 'camera', name, error: message }));
        return this.#camera.node;
      case 'lines':
        return make('div', { ...mark, class: 'lines', tabindex: 0 }, ...control.lines.map(({ head, key, text, count }) =>
          head ? make('h3', {}, text) : make('p', { class: count ? 'count' : '' }, ...key ? [make('b', {}, key), ' '] : [], make('span', {}, text ?? ''))));
      case 'choice': {
        const select = make('select', { ...mark, disabled: !!control.off }, ...control.options.map((text, i) => make('option', { value: i }, text)));
        select.value = control.at;
        select.onchange = () => {
          this.#chosen.set(at, Number(select.value));
          this.#set(at, Number(select.value));
        };
        return make('label', {}, make('span', {}, control.label), select);
      }
      case 'check': {
        const input = make('input', { ...mark, type: 'checkbox', checked: control.on });
        input.onchange = () => this.#set(at, input.checked);
        return make('label', { class: 'check' }, input, make('span', {}, control.label));
      }
      case 'field': {
        const input = make('input', { ...mark, value: control.text ?? '', inputmode: control.number ? 'numeric' : undefined, maxlength: control.max, disabled: !!control.off, autocomplete: 'off' });
        input.oninput = () => this.#set(at, input.value);
        return make('label', {}, make('span', {}, control.label), input);
      }
      case 'list':
        return this.#list(control, at, mark);
      case 'button': {
        const button = make('button', { ...mark, type: control.main ? 'submit' : 'button', class: control.main ? 'main' : undefined }, control.text);
        if (!control.main) button.onclick = () => this.#press(at);
        return button;
      }
    }
  }

  #list(control, at, mark) {
    if (!control.rows) return make('p', mark, control.text ?? '');
    const options = control.rows.map(({ board, texts }, i) => make('div', { role: 'option', tabindex: i === control.at ? 0 : -1, 'aria-selected': String(i === control.at) },
      ...board ? [small(board)] : [], make('span', {}, ...texts.map((text, j) => make(j ? 'small' : 'b', {}, text)))));
    const list = make('div', { ...mark, role: 'listbox', class: control.rows[0].board ? 'boards' : 'rows', 'aria-label': control.label ?? '' }, ...options);
    const select = option => {
      for (const other of options) {
        other.setAttribute('aria-selected', String(other === option));
        other.tabIndex = other === option ? 0 : -1;
      }
      this.#set(at, options.indexOf(option)); // -1: none
    };
    const choose = option => {
      select(option);
      option.focus();
      option.scrollIntoView({ block: 'nearest' });
    };
    list.onclick = ({ target }) => { const option = target.closest('[role=option]'); if (option) choose(option); };
    list.ondblclick = ({ target }) => { if (target.closest('[role=option]')) this.#press(at); };
    const search = options.length >= 12 && control.label && make('input', { type: 'search', placeholder: control.label.replace(/:$/, '…'), 'aria-label': control.label, autocomplete: 'off' });
    list.onkeydown = event => {
      const seen = options.filter(({ hidden }) => !hidden), now = seen.indexOf(document.activeElement);
      const columns = Math.max(1, seen.filter(({ offsetTop }) => offsetTop === seen[0].offsetTop).length);
      const by = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1, Home: -seen.length, End: seen.length }[event.key];
      if (event.key === 'Enter') this.#press(at);
      else if (by) choose(seen[Math.min(Math.max(now + by, 0), seen.length - 1)]);
      else {
        if (search && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.altKey && !event.metaKey) search.focus(); // which gets the character
        return;
      }
      event.preventDefault();
    };
    if (!search) return list;
    search.onkeydown = event => {
      if (event.key !== 'ArrowDown') return;
      list.querySelector('[aria-selected=true]')?.focus();
      event.preventDefault();
    };
    search.oninput = () => {
      const wanted = search.value.toLowerCase();
      for (const option of options) option.hidden = !option.querySelector('span').textContent.toLowerCase().includes(wanted); // not in the digits of its board
      const first = options.find(({ hidden }) => !hidden);
      select(first);
      nothing.textContent = first ? '' : control.text ?? '';
    };
    const nothing = make('p', { role: 'status' });
    return make('div', { class: 'found' }, search, nothing, list);
  }
}

// small draws a board of 81 digits, in little.
function small(text) {
  const svg = (name, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const picture = svg('svg', { viewBox: '0 0 90 90', 'aria-hidden': 'true' });
  picture.append(svg('path', { d: 'M30 0v90M60 0v90M0 30h90M0 60h90' }));
  [...text].forEach((digit, i) => {
    if (digit === '.' || digit === '0') return;
    const made = svg('text', { x: i % 9 * 10 + 5, y: Math.floor(i / 9) * 10 + 8.2 });
    made.textContent = digit;
    picture.append(made);
  });
  return picture;
}
