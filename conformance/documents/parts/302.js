// The declaration of half stands behind the script in the document, and is there before it runs.
var doubled = 2 * half;

function fromFile() {
  return 'loaded';
}
