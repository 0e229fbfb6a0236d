// Undo and redo of the document, over what was typed and what was done in the picture.

const most = 500; // texts
const size = 20_000_000; // characters of all texts
const pause = 600; // ms: what is typed faster is undone at once

export class History {
  #texts;
  #at = 0;
  #last = 0; // when something was typed

  constructor(text) { this.#texts = [text]; }

  // add says that the text has changed.
  add(text, typed = false) {
    if (text === this.#texts[this.#at]) return;
    const now = performance.now();
    const together = typed && now - this.#last < pause && this.#at > 0 && this.#at === this.#texts.length - 1;
    this.#last = typed ? now : 0;
    this.#texts.length = this.#at + 1;
    if (together) this.#texts[this.#at] = text;
    else this.#texts.push(text);
    let sum = this.#texts.reduce((all, one) => all + one.length, 0);
    while (this.#texts.length > 2 && (this.#texts.length > most || sum > size)) sum -= this.#texts.shift().length;
    this.#at = this.#texts.length - 1;
  }

  // step returns the text before or after, or null.
  step(by) {
    this.#last = 0;
    const text = this.#texts[this.#at + by];
    if (text === undefined) return null;
    this.#at += by;
    return text;
  }
}
