// element makes an element. Attributes whose value is empty, false or undefined are left out.
export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== '' && value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...content);
  return made;
}
