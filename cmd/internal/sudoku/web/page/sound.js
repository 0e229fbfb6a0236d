// What there is to hear: a few notes, each [frequency, begin, length] in hertz and seconds.

const tunes = {
  conflict: [[196, 0, .18], [185, .04, .18]],
  unit: [[660, 0, .12], [880, .1, .16]],
  end: [[523, 0, .16], [659, .13, .16], [784, .26, .16], [1047, .39, .4]],
};

let context;

// sound plays a tune. Before the player has done something on the page, browsers are silent.
export function sound(name) {
  context ??= new AudioContext();
  context.resume();
  for (const [frequency, begin, length] of tunes[name]) {
    const note = context.createOscillator(), volume = context.createGain(), at = context.currentTime + begin;
    note.type = name === 'conflict' ? 'triangle' : 'sine';
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(.15, at + .01);
    volume.gain.exponentialRampToValueAtTime(.001, at + length);
    note.connect(volume).connect(context.destination);
    note.start(at);
    note.stop(at + length);
  }
}
