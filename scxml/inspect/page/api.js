// The handler's requests. Paths are relative: it can be mounted anywhere.

import { follow } from './stream.js';

export const place = new URLSearchParams(location.hash.slice(1));

// The token comes in the fragment of the address, which browsers do not send. Then the tab keeps it, and
// the address does not.
const kept = `inspector ${location.pathname}`;
const token = place.get('token') ?? sessionStorage.getItem(kept) ?? '';
sessionStorage.setItem(kept, token);
place.delete('token');
history.replaceState(null, '', `#${place}`);
addEventListener('hashchange', () => location.reload()); // to another address of the page

// Where the page is next to the document: source(at, go) shows a place of it, "file:line:col", and goes
// there if go is true; pointed(show) calls show with the place of the element that is edited.
export const source = null;
export const pointed = null;

async function request(path, body, signal) {
  const headers = { Authorization: `Bearer ${token}` };
  const options = { headers, signal };
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
    options.method = 'POST';
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(`api/${path}`, options);
  if (!answer.ok) {
    const text = await answer.text();
    let message = text.trim();
    try {
      message = JSON.parse(text).error;
    } catch { /* not from the handler: the text says what it is */ }
    throw Object.assign(new Error(message || `${answer.status} ${answer.statusText}`), { status: answer.status });
  }
  return answer;
}

const json = async (path, body) => (await request(path, body)).json();
const of = session => `sessions/${encodeURIComponent(session)}`;

export const sessions = () => json('sessions');
export const chart = session => json(`${of(session)}/chart`);
export const picture = async session => (await request(`${of(session)}/picture.svg`)).text();
export const rows = async (session, from, count) => (await json(`${of(session)}/rows?from=${from}&count=${count}`)).rows;
export const position = (session, n) => json(`${of(session)}/positions/${n ?? 'last'}`);

// find returns the next step that contains a text, or null. The handler searches
// some thousands at a time.
export async function find(session, text, from, back) {
  for (let next = from; next !== null;) {
    const query = new URLSearchParams({ text, from: next, back });
    const answer = await json(`${of(session)}/find?${query}`);
    if (answer.n !== null) return answer.n;
    next = answer.next;
  }
  return null;
}

// act is send, try, advance, cancel, stop, branch or close.
export const act = (session, what, body = {}) => json(`${of(session)}/${what}`, body);

// listen receives the messages about a session, or only the list if it is null,
// and returns a function that ends it.
export const listen = (session, heard) =>
  follow(signal => request(session === null ? 'events' : `events?${new URLSearchParams({ session })}`, undefined, signal), heard, 'The program has ended');
