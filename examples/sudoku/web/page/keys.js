// keyName returns the name that the game has for a key: "U", "Shift+U", "Ctrl+Z", "Alt+5", "Up",
// "Space", "?".

const named = {
  ArrowUp: 'Up', ArrowDown: 'Down', ArrowLeft: 'Left', ArrowRight: 'Right', PageUp: 'PgUp', PageDown: 'PgDn',
  Escape: 'Esc', ContextMenu: 'Menu', ' ': 'Space',
};

export function keyName({ key, code, shiftKey, altKey, ctrlKey, metaKey }) {
  let name = named[key] ?? key, shift = shiftKey;
  if (altKey || ctrlKey || metaKey) { // with Alt, some systems write other characters
    const physical = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code);
    if (physical && (altKey || name.length > 1)) name = physical[1];
  }
  if (name.length === 1) {
    const upper = name.toUpperCase();
    if (upper === upper.toLowerCase()) shift = false; // it is part of the character
    name = upper;
  }
  return (ctrlKey || metaKey ? 'Ctrl+' : '') + (altKey ? 'Alt+' : '') + (shift ? 'Shift+' : '') + name;
}
