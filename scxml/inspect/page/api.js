// The handler's requests. Paths are relative: it can be mounted anywhere.

// The token is in the fragment of the address, which browsers do not send.
export const place = new URLSearchParams(location.hash.slice(1));

// Where the page is next to the document: source(at, go) shows a place of it, "file:line:col", and goes
// there if go is true; pointed(show) calls show with the place of the element that is edited.
export const source = null;
export const pointed = null;

const token = () => place.get('token') ?? '';

async function request(path, body) {
  const headers = { Authorization: `Bearer ${token()}` };
  const options = { headers };
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
// and returns a function that ends it. The browser connects again by itself.
export function listen(session, { sessions, tick, lost }) {
  const query = new URLSearchParams({ token: token() });
  if (session !== null) query.set('session', session);
  const source = new EventSource(`api/events?${query}`);
  source.addEventListener('sessions', message => sessions(JSON.parse(message.data)));
  source.addEventListener('tick', message => tick(JSON.parse(message.data)));
  source.addEventListener('problem', message => lost(JSON.parse(message.data).error));
  source.addEventListener('bye', () => {
    source.close();
    lost('The program has ended');
  });
  source.addEventListener('open', () => lost(''));
  source.addEventListener('error', () => lost(source.readyState === EventSource.CLOSED ? 'Not connected' : 'Connection lost, trying again'));
  return () => source.close();
}
