// A film of a canvas while the camera goes once around the model.

/** Milliseconds once around. */
const TURN = 6000;

/**
 * @param canvas that is drawn again when `changed` is called
 * @param told is told how far it is, 0 to 1
 * @returns the film
 */
export async function filmOnceAround(canvas, orbit, changed, told) {
  const { azimuth, own } = orbit;
  const stream = canvas.captureStream(30);
  try {
    const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 8_000_000 });
    const parts = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    const ended = new Promise((done, failed) => {
      recorder.onstop = done;
      recorder.onerror = (event) => failed(event.error ?? new Error('the recorder stopped'));
    });
    recorder.start();
    orbit.turn(0, 0); // from now on about what it looks at
    await Promise.race([turnAround(recorder, orbit, changed, told), ended]);
    if (recorder.state !== 'inactive') recorder.stop();
    await ended;
    return new Blob(parts, { type: recorder.mimeType });
  } finally {
    stream.getTracks().forEach((track) => track.stop());
    Object.assign(orbit, { azimuth, own });
    changed();
  }
}

async function turnAround(recorder, orbit, changed, told) {
  const start = performance.now();
  const from = orbit.azimuth;
  for (let share = 0; share < 1 && recorder.state !== 'inactive'; share = (performance.now() - start) / TURN) {
    orbit.azimuth = from + share * 2 * Math.PI;
    changed();
    told(share);
    await new Promise((next) => {
      requestAnimationFrame(next);
    });
  }
}
