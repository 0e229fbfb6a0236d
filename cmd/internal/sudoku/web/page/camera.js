// Camera shows what the camera sees.

import { element } from './element.js';

export class Camera {
  node;
  #ends = new AbortController();

  // fail gets the error if there is nothing to see: the player or the browser may not allow it.
  constructor(label, fail) {
    this.node = element('video', { 'aria-label': label, muted: true, playsinline: true });
    this.#show().catch(error => { if (!this.#ends.signal.aborted) fail(error); });
  }

  async #show() {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1920 } } });
    const end = () => stream.getTracks().forEach(track => track.stop());
    if (this.#ends.signal.aborted) return end();
    this.#ends.signal.addEventListener('abort', end);
    this.node.srcObject = stream;
    await this.node.play();
  }

  // stop ends the recording.
  stop() { this.#ends.abort(); }
}

// still returns a file with what a video shows now.
export async function still(video, name) {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext('2d').drawImage(video, 0, 0);
  return new File([await canvas.convertToBlob()], name);
}
