// A second instance of the library, which draws thumbnails and validates files. It requests their bytes from the page.

import { Collection } from './collection.js';
import { isServed, listOnServer, whereOnServer } from './files.js';
import { Library } from './module.js';
import { isPicture, readPicture } from './pictures.js';

/** Bytes of an archive that a worker keeps, too: of models in larger ones there are no pictures. */
const MOST_ARCHIVES = 64 * 1024 * 1024;

const questions = new Map();
let last = 0;
let current = null; // the path of the model that is drawn; none when nobody looks any more

function ask(what) {
  const number = ++last;
  postMessage({ ask: number, ...what });
  return new Promise((answer, failed) => {
    questions.set(number, { answer, failed });
  });
}

let start = null;
/** The page's library, compiled; this one has files and memory of its own. */
const compiled = new Promise((resolve) => {
  start = resolve;
});
const started = compiled.then(Library.load).then((library) => {
  const nothing = () => {}; // the page tells what it cannot read itself
  const server = isServed ? { list: listOnServer, where: whereOnServer } : {};
  return new Collection(library, { reading: nothing, read: nothing, warn: nothing, searches: false, isPatient: true, ...server });
});

/** How much of a picture shows something. */
function share({ data }) {
  let seen = 0;
  for (let i = 3; i < data.length; i += 4) seen += data[i] > 8 ? 1 : 0;
  return seen / (data.length / 4);
}

/** The default clip's beginning, or the moment of it that shows most. */
function picture(model, scene, side) {
  const clip = scene.defaultClip ?? -1;
  const duration = clip < 0 ? 2 : scene.clips[clip].duration;
  const first = clip >= 0 && !scene.clips[clip].looping ? duration / 2 : 0;
  let best = null;
  for (const time of [first, ...Array.from({ length: 8 }, (_, i) => (duration * i) / 8)]) {
    const own = scene.isPortrait && scene.portrait !== null ? model.ownCamera(scene.portrait, clip, time, 1) : null;
    const camera = own ?? model.autoCamera(clip, 0.61, 0.35, 1, 1);
    model.evaluate({ clip, time, clock: time, camera, options: {} });
    const image = model.rasterise(side, side, 4);
    const seen = share(image);
    if (!best || seen > best.seen) best = { image, seen };
    if (best.seen > 0.01) break;
  }
  return best.seen > 0 ? best.image : null;
}

/** A texture, as large as there is room. */
async function texture(files, path, side) {
  const { width, height, pixels } = await readPicture(files, path);
  const whole = new OffscreenCanvas(width, height);
  whole.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
  const paper = new OffscreenCanvas(side, side).getContext('2d');
  const scale = side / Math.max(width, height);
  paper.drawImage(whole, (side - width * scale) / 2, (side - height * scale) / 2, width * scale, height * scale);
  return paper.canvas.transferToImageBitmap();
}

const send = (bitmap) => postMessage({ picture: bitmap }, { transfer: [bitmap] });

/** All files, with the archive in which one lies. */
async function filesWith(archive) {
  const files = await started;
  if (archive !== null && !files.has(archive)) {
    // the server's, which the page has not told of
    files.add([{ path: archive, served: true, bytes: (most) => ask({ path: archive, most }) }]);
  }
  const unread = archive === null ? null : files.unreadArchive(archive);
  if (unread) await files.openArchive(unread, MOST_ARCHIVES); // others in it are opened with what they have
  return files;
}

async function check({ check: path, archive, options }) {
  const files = await filesWith(archive);
  const { model } = await files.open(path, options);
  try {
    postMessage({ findings: model.findings() });
  } finally {
    model.close();
  }
}

async function draw({ draw: path, archive, side }) {
  current = path;
  const files = await filesWith(archive);
  if (current === null) {
    postMessage({ dropped: true });
    return;
  }
  if (isPicture(path)) {
    send(await texture(files, path, side));
    return;
  }
  const { model, scene } = await files.open(path, { teamColor: '0' });
  try {
    const image = current === null ? null : picture(model, scene, side);
    if (current === null) postMessage({ dropped: true });
    else if (image) send(await createImageBitmap(image));
    else postMessage({ words: 'nothing visible' });
  } finally {
    model.close();
  }
}

onmessage = async ({ data }) => {
  if (data.answer !== undefined) {
    const { answer, failed } = questions.get(data.answer);
    questions.delete(data.answer);
    if (data.failure === undefined) answer(data.bytes);
    else failed(new Error(data.failure));
  } else if (data.start) {
    start(data.start);
  } else if (data.know) {
    const files = await started;
    files.add(data.know.map((path) => ({ path, bytes: (most) => ask({ path, most }) })));
  } else if (data.drop !== undefined) {
    if (current === data.drop) current = null;
  } else if (data.check !== undefined) {
    await check(data).catch(() => postMessage({ findings: null }));
  } else {
    await draw(data).catch((error) => postMessage({ words: error.message.slice(0, 60) }));
  }
};
