// Server-sent events, read with fetch: an EventSource would send the token in the address, which logs show.

// messages yields ['open'] for an answer that was asked for, and then its events as [name, data].
export async function* messages(asked) {
  const answer = await asked;
  yield ['open'];
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const field = name => part.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
      if (field('event')) yield [field('event'), JSON.parse(field('data'))];
    }
  }
}

// again is how long to wait before a lost connection is tried again.
export const again = () => new Promise(done => setTimeout(done, 2000));
export const isLost = 'Connection lost, trying again';

// follow receives the messages about sessions, and returns a function that ends it. ask(signal) asks for
// them, and ended says why there will be no more.
export function follow(ask, { sessions, tick, lost }, ended) {
  const abort = new AbortController();
  const got = { open: () => lost(''), sessions, tick, problem: ({ error }) => lost(error) };
  (async () => {
    while (!abort.signal.aborted) {
      try {
        for await (const [name, data] of messages(ask(abort.signal))) {
          if (name === 'bye') return lost(ended);
          got[name]?.(data);
        }
      } catch (error) {
        if (!abort.signal.aborted && error.status) return lost(error.message);
      }
      if (abort.signal.aborted) return;
      lost(isLost);
      await again();
    }
  })();
  return () => abort.abort();
}
