// The worker that reads a picture. The program is loaded when there is one, and ends with it.

import { run } from './wasm.js';

onmessage = async ({ data }) => {
  self.picture = data;
  self.tell = text => postMessage(JSON.parse(text));
  try {
    await run('photo.wasm');
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
};
