// Questions before something happens, and complaints after it.

import { $, el, setText, visible } from './inspect/dom.js';

// ask shows what will happen and returns whether it shall. The event that a dialog was closed comes a
// little later: the next question waits for it, so that it is not taken for its answer.
export const ask = question => asked = asked.then(() => show(question));
let asked = Promise.resolve();

function show({ title, text, yes }) {
  const dialog = $('#ask');
  setText($('#ask-head'), title);
  setText($('#ask-text'), text);
  $('#ask-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise(done => dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true }));
}

export function complain(error) {
  const notice = $('#notice');
  notice.replaceChildren(visible(error.message, 2000, true), el('button', { class: 'icon', 'aria-label': 'Close', onclick: () => { notice.hidden = true; } }, '×'));
  notice.hidden = false;
}

export const attempt = work => async (...args) => {
  try {
    return await work(...args);
  } catch (error) {
    if (error.status !== 401) complain(error);
  }
};
