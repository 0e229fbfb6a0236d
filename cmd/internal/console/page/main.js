// The views, by the fragment of the address: #/?text=…, #/session/KEY, #/charts.

import { $, joined, latest, visible } from './inspect/dom.js';
import * as api from './api.js';
import { complain, attempt } from './ask.js';
import { List } from './list.js';
import { One } from './one.js';
import { Charts } from './charts.js';

const lost = text => {
  $('#lost').textContent = text;
  $('#lost').hidden = !text;
};
const list = new List();
const one = new One({ lost });
const charts = new Charts();
const views = { list, one, charts };

function show(name) {
  for (const id of ['login', ...Object.keys(views)]) $(`#${id}`).hidden = id !== name;
  $('#tabs').hidden = $('#leave').hidden = name === 'login';
  if (name === 'login') $('#token').focus();
}

// route shows what the address says.
const route = attempt(async () => {
  one.close();
  if (!api.hasToken()) return show('login');
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, key] = path.split('/');
  const values = new URLSearchParams(query);
  const tab = name === 'charts' ? 'charts' : name === 'session' ? '' : values.get('stuck') || values.get('trouble') ? 'stuck' : 'list';
  for (const link of document.querySelectorAll('#tabs a')) {
    if (link.dataset.tab === tab) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = name === 'session' ? joined`${visible(decodeURIComponent(key), 200)} – Sessions` : name === 'charts' ? 'Charts – Sessions' : 'Sessions';
  if (name === 'session') {
    show('one');
    await one.open(decodeURIComponent(key));
  } else if (name === 'charts') {
    show('charts');
    await charts.open();
  } else {
    show('list');
    await list.open(values);
  }
  await refresh();
});

// overview counts the sessions, for the tabs and for the list.
const refresh = latest(async () => {
  if (!api.hasToken()) return;
  try {
    const over = await api.overview();
    list.count(over);
    charts.count(over);
    if ($('#one').hidden) lost('');
  } catch (error) {
    lost(error.status ? error.message : api.isLost);
  }
});
setInterval(() => {
  if (document.hidden || !api.hasToken()) return;
  refresh();
  if (!$('#list').hidden) list.again();
}, 5000);

$('#login').addEventListener('submit', async event => {
  event.preventDefault();
  api.setToken($('#token').value.trim());
  $('#token').value = '';
  $('#notice').hidden = true;
  try {
    await api.charts();
  } catch (error) {
    api.forget();
    return complain(error);
  }
  route();
});
$('#leave').addEventListener('click', () => {
  api.forget();
  route();
});
api.onRefused(() => {
  api.forget();
  if ($('#login').hidden) route();
});
addEventListener('keyup', event => { // not keydown: or the field would get the character
  if (event.key === '/' && !$('#list').hidden && !event.target.matches('input, textarea, select')) $('#text').focus();
});
addEventListener('hashchange', route);
route();
