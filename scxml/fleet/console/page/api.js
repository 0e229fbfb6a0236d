// The requests of the page. Paths are relative to it.

const kept = 'scxmlrun token'; // of this tab
export const hasToken = () => sessionStorage.getItem(kept) !== null;
export const setToken = token => sessionStorage.setItem(kept, token);
export const forget = () => sessionStorage.removeItem(kept);

// refused is called when the token does not work any more.
let refused = () => {};
export const onRefused = f => { refused = f; };

async function request(path, { method = 'GET', body, signal } = {}) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(kept)}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(`../v1/${path}`, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
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
export const migrate = (chart, body) => json(`charts/${encodeURIComponent(chart)}/migrate`, { method: 'POST', body });

// watch calls change for each entry of a session's log that is new, and end when there will be no
// more, until the signal is aborted. An EventSource cannot send the token as a header. lost hears
// whether the connection is lost.
export async function watch(key, after, { signal, change, end, lost }) {
  while (!signal.aborted) {
    try {
      const answer = await request(`${of(key)}/changes?after=${after}`, { signal });
      lost('');
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ''; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        const messages = (text + value).split('\n\n');
        text = messages.pop();
        for (const message of messages) {
          const field = name => message.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
          if (field('event') === 'change') {
            const entry = JSON.parse(field('data'));
            after = entry.revision;
            change(entry);
          } else if (field('event') === 'end') {
            end(JSON.parse(field('data')).reason);
            return;
          }
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 404) return end('the session was deleted');
      if (error.status === 401 || error.status === 403) return;
    }
    lost('Connection lost, trying again');
    await new Promise(done => setTimeout(done, 2000));
  }
}
