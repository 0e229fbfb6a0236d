// What cannot be seen is shown as in Go: datamodel.Visible, which has the same lists.

const hidden = [
  [0x00, 0x1F], [0x7F, 0x9F], [0xAD, 0xAD], [0x34F, 0x34F], [0x61C, 0x61C], [0x115F, 0x1160], [0x17B4, 0x17B5],
  [0x180E, 0x180E], [0x200B, 0x200B], [0x200E, 0x200F], [0x2028, 0x202E], [0x2060, 0x206F], [0x3164, 0x3164],
  [0xD800, 0xDFFF], [0xFEFF, 0xFEFF], [0xFFA0, 0xFFA0], [0xFFF0, 0xFFFB], [0x1BCA0, 0x1BCA3], [0x1D173, 0x1D17A],
  [0xE0000, 0xE00FF], [0xE01F0, 0xE0FFF],
];
const joiners = [[0x200C, 0x200D]];
const selectors = [[0x180B, 0x180D], [0x180F, 0x180F], [0xFE00, 0xFE0F], [0xE0100, 0xE01EF]];
const spaces = [[0x1680, 0x1680], [0x2000, 0x200A], [0x202F, 0x202F], [0x205F, 0x205F], [0x3000, 0x3000]];
const escapes = new Map([['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']]);

const shaped = r => r >= 0x300 && r !== 0xFFFD && !within(r, hidden) && !within(r, joiners) && !within(r, selectors) && !within(r, spaces);

// within tells whether r is in one of some ranges, which are in order.
function within(r, ranges) {
  for (let i = 0; i < ranges.length && r >= ranges[i][0]; i++) if (r <= ranges[i][1]) return true;
  return false;
}

// isHidden tells whether r cannot be seen between before and after, which are 0 at the ends of a text.
export function isHidden(before, r, after) {
  if (within(r, joiners)) return !(shaped(before) || within(before, selectors)) || !shaped(after);
  if (within(r, selectors)) return !shaped(before) && !'#*0123456789©®'.includes(String.fromCodePoint(before));
  return within(r, hidden);
}

function escape(char, r) {
  if (escapes.has(char)) return escapes.get(char);
  const hex = n => r.toString(16).padStart(n, '0');
  return r < 0x100 ? `\\x${hex(2)}` : r < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

// visible returns a text in which everything can be seen. It is cut at limit characters. Line breaks
// remain if lines is true.
export function visible(text, limit = 400, lines = false) {
  if (text instanceof Joined) return text.length > limit ? new Joined(`${text.slice(0, limit - 1).replace(/\u2068[^\u2069]*$/, '$&\u2069')}…`) : text;
  text = String(text);
  if (text.length > limit) text = `${text.slice(0, limit - 1)}…`;
  if (/^[ -~]*$/.test(text)) return text;
  const chars = Array.from(text);
  const code = i => chars[i]?.codePointAt(0) ?? 0;
  return chars.map((char, i) => {
    if (lines && char === '\n' || !isHidden(code(i - 1), code(i), code(i + 1))) return char;
    return escape(char, code(i));
  }).join('');
}

// A Joined text is made of texts in which everything can be seen. Those with letters that are written from
// right to left are isolated, so that they do not turn what is next to them round.
class Joined extends String {}

const fromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

function isolated(text) {
  if (text instanceof Joined) return text;
  text = visible(text, 2000, true);
  return fromRight.test(text) ? `\u2068${text}\u2069` : text;
}

// joined is the tag of a template that is for people, such as joined`ends in ${name}`.
export const joined = (raw, ...texts) => new Joined(String.raw({ raw }, ...texts.map(isolated)));

// listed joins texts for people.
export const listed = (texts, separator = ', ') => new Joined(texts.map(isolated).join(separator));
