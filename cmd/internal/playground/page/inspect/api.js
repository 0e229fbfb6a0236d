// The requests of the inspector's page, which go to the engine of the page around it. This file takes
// the place of the one for a server, which has the same functions.

const { engine } = window.parent;

export const place = new URLSearchParams(location.hash.slice(1));

export const source = (at, go) => window.parent.source(at, go);
export const pointed = show => window.addEventListener('point', ({ detail }) => show(detail));

async function request(path, body) {
  const { status, text } = await engine.fetch(body === undefined ? 'GET' : 'POST', `/api/${path}`, body === undefined ? '' : JSON.stringify(body));
  if (status === 200) return text;
  let message = text;
  try {
    message = JSON.parse(text).error;
  } catch { /* the text says what it is */ }
  throw Object.assign(new Error(message), { status });
}

const json = async (path, body) => JSON.parse(await request(path, body));
const of = session => `sessions/${encodeURIComponent(session)}`;

export const sessions = () => json('sessions');
export const chart = session => json(`${of(session)}/chart`);
export const picture = session => request(`${of(session)}/picture.svg`);
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

// listen receives the messages about a session, and the list at once when another chart runs.
export function listen(session, { sessions: gotSessions, tick, lost }) {
  let text = '';
  const messages = { sessions: gotSessions, tick, problem: message => lost(message.error) };
  const path = session === null ? '/api/events' : `/api/events?${new URLSearchParams({ session })}`;
  const end = engine.stream(path, piece => {
    const parts = (text + piece.text).split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      messages[event]?.(JSON.parse(data));
    }
  });
  const other = async () => gotSessions(await sessions());
  window.addEventListener('chart', other);
  return () => {
    window.removeEventListener('chart', other);
    end();
  };
}

// The page around this one has the links, and the name.
document.querySelector('#link').hidden = true;
