// What a picture costs: nothing while nothing changes, no vertices while the camera moves, matrices while a model does.

import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Milliseconds of the main thread for a picture of 65,536 triangles that stand still, and of the largest model in motion. */
const MOST_STILL = 0.3;
const MOST_MOVING = 3;

export function framesParts({ options, out, check, timely, openPage, drop, cloth, url }) {
  /** Counts what goes to the card. */
  const watch = (page) => page.addInitScript(() => {
    window.card = { draws: 0, bytes: 0 };
    const { prototype } = WebGL2RenderingContext;
    const counting = (name, count) => {
      const original = prototype[name];
      prototype[name] = function counted(...given) { count(given); return original.apply(this, given); };
    };
    counting('drawElements', () => { window.card.draws += 1; });
    counting('bufferData', ([, data]) => { window.card.bytes += data.byteLength ?? 0; });
    counting('texImage2D', (given) => { window.card.bytes += given.at(-1)?.byteLength ?? 0; });
    counting('texSubImage2D', (given) => { window.card.bytes += given.at(-1)?.byteLength ?? 0; });
  });

  /**
   * What goes to the card while something is done before each of some pictures, and milliseconds of the main thread: until the
   * library is asked, and from its answer to the end of the drawing.
   */
  const spent = (page, before) => page.evaluate(async (source) => {
    const viewer = window.thawViewer;
    const act = new Function('viewer', 'i', source);
    const next = () => new Promise((done) => { requestAnimationFrame(done); });
    while (viewer.dirty || viewer.drawing) await next();
    const at = { ...window.card };
    const times = [];
    let [asking, heard] = [0, 0];
    const { draw, stage } = viewer;
    viewer.draw = function timed() {
      const start = performance.now();
      const drawing = draw.call(this);
      asking = performance.now() - start;
      return drawing;
    };
    const { onmessage } = viewer.library.worker;
    viewer.library.worker.onmessage = (event) => {
      heard = performance.now();
      onmessage(event);
    };
    stage.draw = function timed(...given) {
      const cost = Object.getPrototypeOf(stage).draw.apply(this, given);
      if (given[0]) times.push(asking + performance.now() - heard);
      return cost;
    };
    for (let i = 0; i < 12; i += 1) {
      act(viewer, i);
      await next();
    }
    await viewer.drawing;
    delete viewer.draw;
    delete stage.draw;
    viewer.library.worker.onmessage = onmessage;
    times.sort((a, b) => a - b);
    return { draws: window.card.draws - at.draws, bytes: window.card.bytes - at.bytes, pictures: times.length, quarter: times[times.length >> 2] ?? 0 };
  }, before);

  async function testFrames() {
    const { context, page } = await openPage(url);
    await watch(page);
    await page.reload();
    await page.waitForFunction(() => window.thawViewer !== undefined);
    await drop(page, [resolve(options.samples, 'chest.mdx'), resolve(options.samples, 'Textures'), resolve(options.samples, 'ReplaceableTextures')], 'chest.mdx');
    await page.waitForFunction(() => window.card.draws > 0);
    await page.evaluate(() => window.thawViewer.player.setPlaying(false));
    await page.waitForTimeout(500);
    const idle = await spent(page, '');
    check(idle.draws === 0 && idle.bytes === 0, `a picture in which nothing changes is not drawn again: ${idle.draws} draws in twelve frames`);
    const turned = await spent(page, 'viewer.orbit.turn(5, 1); viewer.changed();');
    check(turned.draws >= 6 && turned.bytes === 0, `the camera turns: ${turned.draws} draws, ${turned.bytes} bytes to the card`);
    await testCulling(page);
    await testCost(page);
    await context.close();
  }

  /** What is outside of the picture is not drawn, and nothing of what is inside is missing. */
  async function testCulling(page) {
    for (const name of ['house.wmo', 'knight.mdx', 'World/Maps/Island/Island.wdt']) {
      await drop(page, [resolve(options.samples, name), resolve(options.samples, 'Textures'), resolve(options.samples, 'Tileset'), resolve(options.samples, 'World')], name.replace(/.*\//, ''));
      await page.waitForFunction(() => window.thawViewer.cost);
      const { most, wrong, all } = await page.evaluate(async () => {
        const viewer = window.thawViewer;
        const { backend } = viewer.stage;
        const gl = backend.gl;
        viewer.player.setPlaying(false);
        const look = async (outside) => {
          await viewer.draw();
          const { skipped, meshes } = backend;
          const boxes = meshes.map((mesh) => mesh.boxes);
          if (!outside) meshes.forEach((mesh) => { mesh.boxes = new Float32Array([0, 0, 0, 0, 1e9, 1e9, 1e9]); });
          await viewer.draw();
          const pixels = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
          gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
          meshes.forEach((mesh, i) => { mesh.boxes = boxes[i]; });
          return { skipped, pixels };
        };
        const found = { most: 0, wrong: 0, all: 0 };
        await viewer.draw();
        for (const [dx, dy, zoom, x, y] of [[0, 0, 0, 0, 0], [0, 0, -1500, 0, 0], [300, 0, 0, 0.4, 0.1], [0, -200, 200, -0.8, 0.3], [500, 100, -600, 0.5, -0.5]]) {
          viewer.orbit.turn(dx, dy);
          viewer.orbit.zoom(zoom);
          viewer.orbit.move(x, y);
          const culled = await look(true);
          const whole = await look(false);
          found.most = Math.max(found.most, culled.skipped);
          found.wrong += culled.pixels.reduce((sum, value, i) => sum + (value === whole.pixels[i] ? 0 : 1), 0);
        }
        const frame = await viewer.model.evaluate({ ...viewer.player.moment, camera: await viewer.stage.camera(viewer.player.clip, 0), options: {} }, true);
        found.all = frame.draws.length;
        viewer.orbit.reset();
        return found;
      });
      check(wrong === 0 && most > 0, `${name}: up to ${most} of ${all} draws are outside of the picture and skipped; ${wrong} bytes of it differ`);
    }
  }

  async function testCost(page) {
    const path = join(out, 'still.mdl');
    await writeFile(path, cloth(256, 128, 32));
    await drop(page, [path], 'still.mdl');
    await page.evaluate(() => { const { player } = window.thawViewer; player.setPlaying(false); player.setTime(0.5); });
    const still = await spent(page, 'viewer.changed();');
    timely(still.quarter <= MOST_STILL, `${await page.evaluate(() => window.thawViewer.cost.triangles)} triangles standing still cost ${still.quarter.toFixed(2)} ms`);
    const turning = await spent(page, 'viewer.orbit.turn(5, 1); viewer.changed();');
    timely(turning.quarter <= MOST_MOVING, `turned by hand ${turning.quarter.toFixed(2)} ms`);
    const moving = await spent(page, 'viewer.player.setTime(i / 20);');
    const vertices = await page.evaluate(() => window.thawViewer.stage.backend.meshes.reduce((sum, { bytes }) => sum + bytes, 0));
    const each = moving.bytes / moving.pictures;
    check(still.bytes === 0 && each > 0 && each < vertices / 100,
      `in motion ${Math.round(each)} bytes go to the card for each picture; its vertices, which stay there, have ${vertices.toLocaleString()}`);
    timely(moving.quarter <= MOST_MOVING, `and ${moving.quarter.toFixed(2)} ms in motion`);
  }

  return { frames: testFrames };
}
