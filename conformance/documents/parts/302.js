// The document declares half after this script, but the declaration takes effect first.
var doubled = 2 * half;

function fromFile() {
  return 'loaded';
}
