// Hands on the camera: what lies below the pointer stays there while zooming, and what was moved to the middle stays in the
// middle. The point is projected here, by the camera that the stage says it has.

import { resolve } from 'node:path';

const PIXELS = 1;

export function cameraParts({ options, check, openPage, settle, url }) {
  /** Where a point of space is on the screen, in pixels right of the middle and below it. */
  function projected(page, right, below) {
    return page.evaluate(async ([right, below]) => {
      const viewer = window.thawViewer;
      await viewer.draw();
      const { eye, target, up, fieldOfView } = await viewer.stage.camera(viewer.player.clip, viewer.player.time);
      const subtract = (a, b) => a.map((value, axis) => value - b[axis]);
      const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
      const cross = (a, b) => [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
      const unit = (a) => a.map((value) => value / Math.hypot(...a));
      const ahead = unit(subtract(target, eye));
      const side = unit(cross(ahead, up));
      const over = cross(side, ahead);
      const half = document.getElementById('canvas').clientHeight / 2 / Math.tan(fieldOfView / 2);
      const unitsPerPixel = Math.hypot(...subtract(target, eye)) / half;
      window.cameraPoint ??= target.map((value, axis) => value + (side[axis] * right - over[axis] * below) * unitsPerPixel);
      const from = subtract(window.cameraPoint, eye);
      return [dot(from, side), -dot(from, over)].map((value) => (value * half) / dot(from, ahead));
    }, [right, below]);
  }

  async function testCamera() {
    const { context, page } = await openPage(url);
    await page.setInputFiles('#file-input', resolve(options.samples, 'knight.mdx'));
    await page.waitForFunction(() => window.thawViewer.scene);
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    const box = await page.locator('#canvas').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await projected(page, 100, -60);

    await page.mouse.move(x + 100, y - 60);
    let worst = 0;
    for (const turn of [-200, -200, 300, -400]) {
      await page.mouse.wheel(0, turn);
      await page.waitForTimeout(150);
      const [right, below] = await projected(page);
      worst = Math.max(worst, Math.hypot(right - 100, below + 60));
    }
    check(worst <= PIXELS, `zooming keeps what is below the pointer there: ${worst.toFixed(2)} pixels off`);

    const [right, below] = await projected(page);
    check(Math.hypot(right, below) > 50, 'the detail is beside the middle before it is moved');
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 100 - right, y - 60 - below, { steps: 5 });
    await page.mouse.up({ button: 'right' });
    worst = 0;
    for (let turn = 0; turn < 4; ++turn) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 80, y + 20, { steps: 3 });
      await page.mouse.up();
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, turn % 2 ? 200 : -150);
      await page.waitForTimeout(120);
      worst = Math.max(worst, Math.hypot(...await projected(page)));
    }
    check(worst <= PIXELS, `what was moved to the middle stays there through four turns and zooms: ${worst.toFixed(2)} pixels off`);
    await testDirection(page, x, y);
    await testFingers(page, x, y);
    await testTurning(page);
    await context.close();
  }

  /** What is nearer than the middle goes where the mouse goes. */
  async function testDirection(page, x, y) {
    await page.evaluate(async () => {
      const { orbit, stage, player } = window.thawViewer;
      orbit.reset();
      await window.thawViewer.draw();
      const { eye, target } = await stage.camera(player.clip, player.time);
      window.cameraPoint = target.map((value, axis) => value + (eye[axis] - value) * 0.3);
    });
    for (const [dx, dy] of [[60, 0], [0, 40]]) {
      const before = await projected(page);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy, { steps: 3 });
      await page.mouse.up();
      const after = await projected(page);
      const [right, below] = after.map((value, axis) => value - before[axis]);
      check(dx ? right > 10 : below > 10, `a drag by ${dx}, ${dy} pixels moves what is in front by ${right.toFixed(0)}, ${below.toFixed(0)}`);
    }
  }

  /** Two fingers: moved together they move what is between them, apart they enlarge it. */
  async function testFingers(page, x, y) {
    await page.evaluate(() => { window.cameraPoint = undefined; window.thawViewer.orbit.reset(); });
    await projected(page, 0, 0);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...places) => session.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([left, top], id) => ({ x: x + left, y: y + top, id })) });
    await touch('touchStart', [-50, 0], [50, 0]);
    for (let step = 1; step <= 4; ++step) await touch('touchMove', [-50 + step * 15, step * 10], [50 + step * 15, step * 10]);
    await settle(page); // browsers give moves with the next frame
    const [right, below] = await projected(page);
    check(Math.hypot(right - 60, below - 40) <= 2, `two fingers moved by 60, 40 pixels move what is between them by ${right.toFixed(1)}, ${below.toFixed(1)}`);
    const size = () => page.evaluate(() => window.thawViewer.orbit.away);
    const before = await size();
    await touch('touchMove', [-40, 40], [160, 40]);
    await settle(page);
    const [pinched, under] = await projected(page);
    check(Math.abs(before / (await size()) - 2) < 0.05 && Math.hypot(pinched - 60, under - 40) <= 2, `twice as far apart they enlarge it ${(before / (await size())).toFixed(2)} times, and it stays between them: ${pinched.toFixed(1)}, ${under.toFixed(1)}`);
    await touch('touchEnd');
    await session.detach();
  }

  /** Whatever axes a format has, the camera turns as the library's does, and asks it for nothing. */
  async function testTurning(page) {
    for (const name of ['knight.mdx', 'waystone_v3.m3', 'house.wmo', 'forgelight/Human_LOD0.dme']) {
      const before = await page.evaluateHandle(() => window.thawViewer.model); // which may be of a file of that name
      await page.setInputFiles('#file-input', resolve(options.samples, name));
      await page.waitForFunction(([path, old]) => window.thawViewer.path === path && window.thawViewer.model !== old && window.thawViewer.cost, [name.replace(/.*\//, ''), before]);
      const [off, asked] = await page.evaluate(async () => {
        const viewer = window.thawViewer;
        const { orbit, stage, model, player } = viewer;
        await viewer.draw();
        orbit.turn(0, 0);
        await viewer.draw();
        let asked = 0;
        const { autoCamera } = model;
        model.autoCamera = function counted(...words) { asked += 1; return autoCamera.apply(this, words); };
        let off = 0;
        for (const [dx, dy] of [[120, 30], [-400, -60], [250, 90]]) {
          orbit.turn(dx, dy);
          const [ours, theirs] = [await stage.camera(player.clip, player.time), await autoCamera.call(model, player.clip, orbit.azimuth, orbit.elevation, 1, 1)]
            .map(({ eye, target }) => { const back = eye.map((value, axis) => value - target[axis]); return back.map((value) => value / Math.hypot(...back)); });
          off = Math.max(off, Math.hypot(...ours.map((value, axis) => value - theirs[axis])));
        }
        delete model.autoCamera;
        orbit.reset();
        return [off, asked];
      });
      check(off < 1e-3 && asked === 0, `${name} turns as the library's camera does, ${off.toExponential(1)} off, which is asked ${asked} times`);
      await testSides(page, name);
    }
  }

  /** Each side and each clip is looked at by the library's camera of that side and that clip. */
  async function testSides(page, name) {
    const [looks, off] = await page.evaluate(async () => {
      const { orbit, stage, model, scene } = window.thawViewer;
      const { clientWidth, clientHeight } = document.getElementById('canvas');
      const looks = [];
      let off = 0;
      for (const side of ['front', 'left', 'top']) {
        for (const clip of [-1, ...scene.clips.keys()].slice(0, 4)) {
          orbit.from(side);
          const ours = await stage.camera(clip, 0);
          const theirs = await model.autoCamera(clip, orbit.azimuth, orbit.elevation, orbit.distance, clientWidth / clientHeight);
          off = Math.max(off, ...ours.eye.map((value, axis) => Math.abs(value - theirs.eye[axis])));
          looks.push(ours.eye.map((value, axis) => value - ours.target[axis]));
        }
      }
      orbit.reset();
      return [looks, off / Math.hypot(...looks[0])];
    });
    check(off < 1e-3, `${name} from ${looks.length} sides and clips by the library's camera of each, ${off.toExponential(1)} off`);
  }

  return { camera: testCamera };
}
