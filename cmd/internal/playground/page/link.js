// Links that carry a chart: #chart=… has the document, compressed and in the letters of URLs. It is not
// sent to a server.

const through = async (bytes, transform) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());

// pack returns a text for a link.
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const most = 1 << 20; // characters of a document

// unpack returns what pack was given.
export async function unpack(packed) {
  let text = '';
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))
      .getReader();
    for (let part = await reader.read(); !part.done && text.length <= most; part = await reader.read()) text += part.value;
  } catch {
    throw new Error('The link is damaged: it does not carry a chart');
  }
  if (text.length > most) throw new Error(`The chart of the link has more than ${most} characters`);
  return text;
}
