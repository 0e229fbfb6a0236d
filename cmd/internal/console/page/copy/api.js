// The requests of the inspector's page for a copy of a session. This file takes the place of the one of
// the inspector, which has the same functions: here the token is that of the operators' page.

import { closeCopy, hasToken, request } from '../api.js';
import { $, el } from './dom.js';
import { follow } from './stream.js';

const query = new URLSearchParams(location.search);
const id = query.get('id');
const key = query.get('key');
const home = `../#/session/${encodeURIComponent(key)}`;

export const place = new URLSearchParams(location.hash.slice(1));
export const source = null;
export const pointed = null;

const path = rest => `copies/${encodeURIComponent(id)}/api/${rest}`;
const json = async (rest, body) => (await request(path(rest), body === undefined ? {} : { method: 'POST', body })).json();
const of = session => `sessions/${encodeURIComponent(session)}`;

export const sessions = () => json('sessions');
export const chart = session => json(`${of(session)}/chart`);
export const picture = async session => (await request(path(`${of(session)}/picture.svg`))).text();
export const rows = async (session, from, count) => (await json(`${of(session)}/rows?from=${from}&count=${count}`)).rows;
export const position = (session, n) => json(`${of(session)}/positions/${n ?? 'last'}`);
export const act = (session, what, body = {}) => json(`${of(session)}/${what}`, body);

export async function find(session, text, from, back) {
  for (let next = from; next !== null;) {
    const answer = await json(`${of(session)}/find?${new URLSearchParams({ text, from: next, back })}`);
    if (answer.n !== null) return answer.n;
    next = answer.next;
  }
  return null;
}

// listen receives the messages about a copy, or only the list if the session is null.
const closed = 'The copy was closed. Make a new one on the page of the session.';
export const listen = (session, heard) =>
  follow(signal => request(path(session === null ? 'events' : `events?${new URLSearchParams({ session })}`), { signal }).catch(error => {
    if (error.status === 404) error.message = closed;
    throw error;
  }), heard, closed);

// What is around the copy: where it comes from, and the way back.
if (!hasToken()) location.replace(home); // which asks for it
document.head.append(el('link', { rel: 'stylesheet', href: 'copy.css' }));
$('#link').hidden = true; // of others, who have no token
$('#link').after(
  el('p', { id: 'copied', title: 'Nothing that happens here reaches the session. Nothing is sent, no service is started, and nothing is stored. To answer for a service, send an event such as done.invoke.ID.' },
    el('b', {}, 'Copy'), el('span', {}, ' nothing leaves it')),
  el('a', { id: 'home', href: home, onclick: async event => {
    event.preventDefault();
    try {
      await closeCopy(id);
    } catch { /* it was closed before, or will be */ }
    location.href = home;
  } }, 'Back', el('span', {}, ' to the session')));
