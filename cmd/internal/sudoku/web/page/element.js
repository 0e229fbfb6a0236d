// set sets an attribute, and setText a text, if it is different: a browser does not look whether it is.
export function set(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// element makes an element. Attributes whose value is empty, false or undefined are left out.
export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== '' && value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...content);
  return made;
}
