// The requests of the page.

import { again, isLost, messages } from './inspect/stream.js';

const kept = 'scxmlrun token'; // of this tab
export const hasToken = () => sessionStorage.getItem(kept) !== null;
export const setToken = token => sessionStorage.setItem(kept, token);
export const forget = () => sessionStorage.removeItem(kept);

// refused is called when the token does not work any more.
let refused = () => {};
export const onRefused = f => { refused = f; };

const server = new URL('../v1/', import.meta.url); // a proxy may have another path before it

export async function request(path, { method = 'GET', body, signal } = {}) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(kept)}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(new URL(path, server), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  if (answer.ok) return answer;
  const text = await answer.text();
  let said = {};
  try {
    said = JSON.parse(text);
  } catch { /* not from the server */ }
  if (answer.status === 401) refused();
  throw Object.assign(new Error(said.error || text || answer.statusText), { status: answer.status, said });
}

const json = async (...args) => (await request(...args)).json();
const of = key => `sessions/${encodeURIComponent(key)}`;
const query = values => new URLSearchParams(Object.entries(values).filter(([, value]) => value));

export const overview = () => json('overview');
export const charts = async () => (await json('charts')).charts;
export const find = values => json(`find?${query(values)}`);
export const session = key => json(of(key));
export const inbox = async key => (await json(`${of(key)}/inbox`)).events;
export const outbox = async key => (await json(`${of(key)}/outbox`)).tasks;
export const timers = async key => (await json(`${of(key)}/timers`)).timers;
export const log = async key => (await json(`${of(key)}/events?limit=1000`)).entries;
export const picture = async (chart, hash) => (await request(`charts/${encodeURIComponent(chart)}/picture?hash=${hash}`)).text();
export const operate = (key, what) => json(`${of(key)}/${what}`, { method: 'POST' });
export const remove = key => request(of(key), { method: 'DELETE' });
export const tryEvent = (key, body) => json(`${of(key)}/try`, { method: 'POST', body });
export const send = (key, body) => json(`${of(key)}/events`, { method: 'POST', body });
export const openCopy = async key => (await json(`${of(key)}/copies`, { method: 'POST' })).id;
export const closeCopy = id => request(`copies/${id}`, { method: 'DELETE' });
export const migrate = (chart, body) => json(`charts/${encodeURIComponent(chart)}/migrate`, { method: 'POST', body });

// watch calls change for each entry of a session's log that is new, and end when there will be no
// more, until the signal is aborted. lost hears whether the connection is lost.
export async function watch(key, after, { signal, change, end, lost }) {
  while (!signal.aborted) {
    try {
      for await (const [name, data] of messages(request(`${of(key)}/changes?after=${after}`, { signal }))) {
        if (name === 'open') lost('');
        else if (name === 'end') return end(data.reason);
        else if (name === 'change') {
          after = data.revision;
          change(data);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 404) return end('the session was deleted');
      if (error.status === 401 || error.status === 403) return;
    }
    lost(isLost);
    await again();
  }
}
