// Flying, the point that a double click brings into the middle, and the timeline with its events.

import { resolve } from 'node:path';

export function handsParts({ options, check, openPage, look, settle, shot, url }) {
  const seen = (page) => page.evaluate(async () => {
    const viewer = window.thawViewer;
    await viewer.draw();
    return structuredClone(viewer.orbit.seen);
  });
  const apart = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

  async function testFocus(page) {
    const { x, y, width, height } = await page.locator('#canvas').boundingBox();
    const [right, up] = [0.12, 0.3]; // of the knight, beside its middle
    const before = await page.evaluate(([right, up]) => window.thawViewer.model.pick(right, up), [right, up]);
    await page.mouse.dblclick(x + (width * (right + 1)) / 2, y + (height * (1 - up)) / 2);
    await page.waitForFunction(() => { // the camera is there
      const pivot = window.thawViewer.orbit.pivot?.join();
      const still = pivot && pivot === window.lastPivot;
      window.lastPivot = pivot;
      return still;
    }, null, { polling: 400 });
    const { hit, pivot, off } = await page.evaluate(async () => {
      const viewer = window.thawViewer;
      await viewer.draw();
      const hit = await viewer.model.pick(0, 0);
      const { meet, rayOf } = await import(new URL('rays.js', location.href).href);
      const frame = await viewer.model.evaluate({ ...viewer.player.moment, camera: viewer.cost.camera, options: viewer.options });
      const { pivot } = viewer.orbit;
      const point = meet(frame, frame.draws.filter(({ topology, origin }) => topology === 0 && origin === 0), rayOf(viewer.cost.camera, 0, 0));
      viewer.changed();
      return { hit, pivot, off: point && Math.hypot(...point.map((value, i) => value - pivot[i])) };
    });
    check(before && hit && before.object === hit.object && off < 1e-3, `a double click brings what it hits into the middle: ${pivot?.map((value) => value.toFixed(2))}, ${off?.toExponential(1)} off`);
  }

  async function testFlying(page) {
    await page.locator('#canvas').focus();
    const start = await seen(page);
    await page.keyboard.press('v');
    check(await page.evaluate(() => window.thawViewer.orbit.flies) && /Flying/.test(await page.locator('#status').innerText()), `v flies: ${await page.locator('#status').innerText()}`);
    await page.waitForTimeout(100); // until the pointer is locked, where browsers do that
    await page.keyboard.down('w');
    await page.waitForFunction(([x, y, z]) => { const [a, b, c] = window.thawViewer.orbit.seen.eye; return Math.hypot(a - x, b - y, c - z) > 0.1; }, start.eye);
    await page.keyboard.up('w');
    const ahead = await seen(page);
    const straight = apart(start.eye, start.target) - apart(ahead.eye, start.target);
    check(straight > 0.05 && Math.abs(straight - apart(start.eye, ahead.eye)) < 1e-3 && !await page.evaluate(() => window.thawViewer.options.wireframe),
      `W goes ahead, ${straight.toFixed(2)} m straight to what it looks at, and draws no edges`);
    await page.evaluate(() => { window.thawViewer.orbit.look(90, -20); window.thawViewer.changed(); });
    const turned = await seen(page);
    check(apart(turned.eye, ahead.eye) < 1e-3 && apart(turned.target, ahead.target) > 0.1, `looking around leaves the eye where it is: ${apart(turned.eye, ahead.eye).toExponential(1)} off`);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => /\(1\.6\)/.test(document.getElementById('status').textContent));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !window.thawViewer.orbit.flies && document.pointerLockElement === null);
    await page.keyboard.press('w');
    check(await page.evaluate(() => window.thawViewer.options.wireframe), 'after Esc keys do what they did before');
    await page.keyboard.press('w');
    await page.keyboard.press('f');
  }

  async function testTimeline(page) {
    const player = (what) => page.evaluate(`window.thawViewer.player.${what}`);
    await page.waitForFunction(() => window.thawViewer.player.timeline.all.some((events) => events.length > 1));
    const walk = await page.evaluate(() => {
      const { player } = window.thawViewer;
      const clip = player.timeline.all.findIndex((events) => events.length > 1);
      player.setPlaying(false);
      player.setClip(clip);
      return { clip, name: player.clips[clip].name, duration: player.duration, events: player.timeline.events };
    });
    check(walk.name === 'Walk' && JSON.stringify(walk.events) === '[{"name":"FPTxFTL0","time":0.05},{"name":"FPTxFTL0","time":0.45}]', `${walk.name} has the events of the file: ${JSON.stringify(walk.events)}`);
    check(await page.locator('#marks i').count() === 2 && await page.locator('#strip i').count() === await player('clips.filter(({ global }) => !global).length'), 'the timeline marks them and the clips');
    const { x, y, width, height } = await page.locator('#scrub').boundingBox();
    const place = (time) => x + 8 + ((width - 16) * time) / walk.duration;
    await page.mouse.move(place(0.45) + 3, y + height / 2);
    check(await page.locator('#moment').innerText() === 'FPTxFTL0 · 0.450 s', `the pointer names an event: ${await page.locator('#moment').innerText()}`);
    await shot(page, 'timeline');
    await page.mouse.down();
    await page.mouse.up();
    check(await player('time') === 0.45, `a click near it goes to it: ${await player('time')}`);
    await page.mouse.click(place(0.25), y + height / 2);
    check(Math.abs(await player('time') - 0.25) < 0.02, `elsewhere to where it is: ${await player('time')}`);
    await page.locator('#canvas').focus();
    await page.keyboard.press('<');
    check(await player('time') === 0.05 && await page.locator('#status').innerText() === 'FPTxFTL0 at 0.050 s', `< goes to the event before: ${await page.locator('#status').innerText()}`);
    await page.keyboard.press('<');
    check(/^No event before/.test(await page.locator('#status').innerText()), await page.locator('#status').innerText());
    await page.locator('#strip i').first().hover();
    const named = await page.locator('#moment').innerText();
    await page.locator('#strip i').first().click();
    check(await player('clip') === 0 && named === await page.evaluate(() => { const { name, duration } = window.thawViewer.player.clips[0]; return `${name} · ${duration.toFixed(3)} s`; }), `the strip names clips and chooses them: ${named}`);
  }

  /** Any background, which stays for the next time, and light from all sides. */
  async function testLight(page) {
    await page.getByRole('tab', { name: 'Model', exact: true }).click();
    const set = async (name, value) => {
      await page.getByLabel(name, { exact: true }).evaluate((input, to) => {
        input.value = to;
        for (const type of ['input', 'change']) input.dispatchEvent(new Event(type));
      }, value);
      return look(page);
    };
    const plain = await look(page);
    const turned = await set('Light from', 90);
    check(turned.hash !== plain.hash && turned.sums[3] === plain.sums[3], 'light comes from another side');
    await shot(page, 'light');
    check((await set('Light from', 0)).hash === plain.hash, 'and from where it was');
    await set('Background colour', '#336699');
    const corner = () => page.evaluate(async () => {
      await window.thawViewer.draw();
      const pixel = new Uint8Array(4);
      document.getElementById('canvas').getContext('webgl2').readPixels(1, 1, 1, 1, WebGL2RenderingContext.RGBA, WebGL2RenderingContext.UNSIGNED_BYTE, pixel);
      return [...pixel].join();
    });
    check(await corner() === '51,102,153,255', `any colour behind it: ${await corner()}`);
    await page.waitForFunction(() => /background=%23336699/.test(location.hash));
    await page.goto(url);
    await page.waitForFunction(() => window.thawViewer);
    check(await page.evaluate(() => window.thawViewer.background) === '#336699', 'and it is kept for the next time');
  }

  async function testHands() {
    const { context, page, messages } = await openPage(url);
    await page.setInputFiles('#file-input', resolve(options.samples, 'knight.mdx'));
    await page.waitForFunction(() => window.thawViewer.scene);
    await page.evaluate(() => { window.thawViewer.player.setPlaying(false); document.getElementById('missing').hidden = true; });
    await settle(page);
    await testFocus(page);
    await testFlying(page);
    await testTimeline(page);
    await testLight(page);
    check(messages.length === 0, `the console is silent ${messages.slice(0, 5).join(' | ')}`);
    await context.close();
  }

  return { hands: testHands };
}
