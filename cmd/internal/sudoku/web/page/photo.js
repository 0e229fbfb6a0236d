// The worker that reads a picture, or digits that are drawn. The program is loaded when there is one of
// them, and ends with it; for the next digit it begins again.

import { compile, run } from './wasm.js';

let program;

onmessage = async ({ data }) => {
  if (data.strokes) self.strokes = JSON.stringify(data.strokes);
  else self.picture = data;
  self.tell = text => postMessage({ ...JSON.parse(text), ...data.cell });
  try {
    await run(await (program ??= compile('photo.wasm')));
  } catch (error) {
    program = undefined;
    postMessage({ error: String(error?.message ?? error), ...data.cell });
  }
};
