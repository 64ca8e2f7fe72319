// A double click brings what it hits into the middle: the camera turns about it from then on.

/** Milliseconds on the way there. */
const GLIDE = 250;

/** @param viewer the state in main.js */
export function attachFocus(canvas, viewer) {
  let turn = 0;
  const glide = (point, start, from) => {
    const mine = (turn += 1);
    let done = 0;
    const step = (now) => {
      if (mine !== turn) return; // hands took the camera meanwhile
      const share = from === 0 ? 1 : Math.min(1, (now - start) / from);
      const eased = share * (2 - share);
      viewer.orbit.approach(point, (eased - done) / (1 - done));
      done = eased;
      viewer.changed();
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };
  for (const type of ['pointerdown', 'wheel']) canvas.addEventListener(type, () => (turn += 1));
  canvas.addEventListener('dblclick', async ({ clientX, clientY }) => {
    const { model, cost, player, options } = viewer;
    if (!model || !cost) return;
    const mine = turn;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [x, y] = [((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2];
    const point = await model.placeAt({ ...player.moment, camera: cost.camera, options }, x, y);
    if (point && mine === turn) glide(point, performance.now(), matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : GLIDE);
  });
}
