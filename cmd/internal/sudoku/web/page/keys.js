// keyName returns the name that the game has for a key: "U", "Shift+U", "Ctrl+Z", "Alt+5", "Up",
// "Space", "?".

const named = {
  ArrowUp: 'Up', ArrowDown: 'Down', ArrowLeft: 'Left', ArrowRight: 'Right', PageUp: 'PgUp', PageDown: 'PgDn',
  Escape: 'Esc', ContextMenu: 'Menu', ' ': 'Space',
};

export function keyName(event) {
  const { key, code, shiftKey } = event;
  let name = named[key] ?? key, shift = shiftKey;
  const char = event.getModifierState?.('AltGraph'); // which writes characters, with Ctrl and Alt on some systems
  const altKey = event.altKey && !char, ctrlKey = event.ctrlKey && !char, metaKey = event.metaKey;
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
