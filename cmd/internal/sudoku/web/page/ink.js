// Ink collects the strokes of a digit that is drawn into a cell, and shows them.

const rest = 600; // milliseconds after which a digit is complete
const tap = .2; // of a cell: a shorter stroke is a press

export class Ink {
  #canvas = document.createElement('canvas');
  #strokes = []; // of points, in cells
  #cell = -1; // where the first one began
  #timer;
  #done;

  // done gets the number of the cell and the strokes.
  constructor(frame, done) {
    this.#done = done;
    this.#canvas.className = 'ink';
    this.#canvas.setAttribute('aria-hidden', 'true');
    frame.append(this.#canvas);
  }

  begin(point, cell) {
    clearTimeout(this.#timer);
    if (this.#strokes.length === 0) {
      const { width, height } = this.#canvas.getBoundingClientRect();
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#cell = cell;
    }
    this.#strokes.push([point]);
  }

  move(point) {
    const stroke = this.#strokes.at(-1), pen = this.#canvas.getContext('2d'), side = this.#canvas.width / 9;
    const [from, to] = [stroke.at(-1), point].map(at => at.map(n => n * side));
    pen.lineWidth = side * .08;
    pen.lineCap = 'round';
    pen.strokeStyle = getComputedStyle(this.#canvas).color;
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
    stroke.push(point);
  }

  // end ends a stroke. It returns false if that was a press, and no digit has begun.
  end() {
    const [first] = this.#strokes;
    const size = axis => Math.max(...first.map(at => at[axis])) - Math.min(...first.map(at => at[axis]));
    if (this.#strokes.length === 1 && Math.max(size(0), size(1)) < tap) {
      this.clear();
      return false;
    }
    this.#timer = setTimeout(() => {
      const strokes = this.#strokes;
      this.#strokes = [];
      this.#done(this.#cell, strokes);
    }, rest);
    return true;
  }

  // clear removes what was drawn.
  clear() {
    this.#strokes = [];
    this.#canvas.width = 0;
  }

  // read removes a digit that was read, unless the next one has begun.
  read() { if (this.#strokes.length === 0) this.clear(); }
}
