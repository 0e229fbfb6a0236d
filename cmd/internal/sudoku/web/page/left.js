// What the player does is written down here, at once, until the game is kept: a page may end at any time,
// and its workers with it. The next page does what is left.

const name = 'sudoku-left';
const moves = ['key', 'put', 'act', 'cell'];

let left = { moves: [] }, last = 0, mine = false;
try {
  const before = JSON.parse(localStorage.getItem(name));
  if (Array.isArray(before?.moves)) left = before;
} catch { /* a browser that keeps nothing, or it is damaged */ }

function write() {
  try {
    localStorage.setItem(name, JSON.stringify(left));
  } catch { /* a browser that keeps nothing */ }
}

// before returns what was left.
export const before = () => left;

// begin begins with what of it has to be done; no other page writes.
export function begin({ left: rest }) {
  left = rest;
  mine = true;
}

// number numbers a message, and writes it down if it can change the game. The numbers increase from one
// page to the next.
export function number(message) {
  if (!mine || !moves.includes(message.do)) return message;
  const numbered = { ...message, no: last = Math.max(last + 1, Date.now()) };
  left.moves.push(numbered);
  write();
  return numbered;
}

// dropped forgets a message that nobody carries out.
export function dropped({ no }) {
  left.moves = left.moves.filter(move => move.no !== no);
  write();
}

// kept forgets what is kept. point is where the player is then, and up to which message that is.
export function kept(point) {
  left = { ...point, moves: left.moves.filter(({ no }) => no > point.heard) };
  write();
}
