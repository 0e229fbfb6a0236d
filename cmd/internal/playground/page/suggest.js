// Completions in a text area: a list below it, which the arrow keys go through while the caret stays.

import { el } from './inspect/dom.js';

const most = 12; // at once: what is typed makes them fewer

// suggest offers completions in a text area, which is in its label. ask(value, at) returns {from, to, items}
// as the request complete does, say tells how many there are.
export function suggest(area, ask, say) {
  const list = el('ul', { role: 'listbox', id: `${area.id}-list`, class: 'suggestions', 'aria-label': 'Completions', hidden: true });
  area.closest('label').after(list); // not in it: it would be part of the name
  for (const [name, value] of [['aria-autocomplete', 'list'], ['aria-haspopup', 'listbox'], ['aria-controls', list.id]]) area.setAttribute(name, value);
  let found = { items: [] };
  let chosen = -1;
  let asked = 0;

  const choose = i => {
    chosen = i;
    for (const [n, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(n === i));
    if (i < 0) area.removeAttribute('aria-activedescendant');
    else {
      area.setAttribute('aria-activedescendant', list.children[i].id);
      list.children[i].scrollIntoView({ block: 'nearest' });
    }
  };
  const close = () => {
    asked++; // an answer that comes now is too late
    list.hidden = true;
    choose(-1);
  };
  const offer = async first => {
    const mine = ++asked;
    const answer = await ask(area.value, area.selectionStart);
    if (mine !== asked || document.activeElement !== area) return;
    const { from, to } = answer;
    const all = answer.items.filter(({ insert }) => insert !== area.value.slice(from, to)), items = all.slice(0, most);
    found = { from, to, items };
    if (items.length === 0) return close();
    list.replaceChildren(...items.map(({ label, detail }, i) => el('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': 'false' }, el('span', {}, label), el('small', {}, detail))));
    list.hidden = false;
    choose(first ? 0 : -1);
    say(`${items.length}${all.length > most ? ' of more' : ''} ${items.length === 1 ? 'completion' : 'completions'}: arrow keys choose, Enter takes one, Escape closes.`);
  };
  const take = i => {
    const { from, to } = found, { insert, cursor, again } = found.items[i];
    close();
    area.setSelectionRange(from, to);
    taking = true;
    document.execCommand('insertText', false, insert); // so that it can be undone
    taking = false;
    area.setSelectionRange(from + cursor, from + cursor);
    if (again) offer();
  };
  let taking = false;

  area.addEventListener('input', () => {
    if (taking) return;
    if (/[\w<"'.#-]/.test(area.value[area.selectionStart - 1] ?? '')) offer();
    else close();
  });
  area.addEventListener('blur', close);
  list.addEventListener('pointerdown', event => {
    event.preventDefault(); // the focus stays
    const i = [...list.children].indexOf(event.target.closest('[role=option]'));
    if (i >= 0) take(i);
  });
  area.addEventListener('keydown', event => {
    const n = found.items.length;
    const keys = list.hidden ? {} : {
      ArrowDown: () => choose((chosen + 1) % n), ArrowUp: () => choose((Math.max(chosen, 0) + n - 1) % n), Escape: close,
      ...(chosen < 0 ? {} : { Enter: () => take(chosen), Tab: () => take(chosen) }),
    };
    const work = event.key === ' ' && event.ctrlKey ? () => offer(true) : event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? null : keys[event.key];
    if (!work) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // Escape closes the list alone
    work();
  });
}
