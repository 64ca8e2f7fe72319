// Textures on the stage: their pixels come from the library, which knows textures only as part of a model.

import { ThawError } from './errors.js';
import { element } from './panels.js';

const PICTURES = /\.(blp|dds|tga|png|jpe?g)$/i;
export const isPicture = (path) => PICTURES.test(path);

/** A model that shows nothing but asks for one texture. */
const CARRIER = 'thaw-picture/carrier.mdl';
const carrierOf = (path) =>
  `Version {\n\tFormatVersion 800,\n}\nModel "Picture" {\n}\nTextures 1 {\n\tBitmap {\n\t\tImage "${path.replaceAll('/', '\\')}",\n\t}\n}\n` +
  'Materials 1 {\n\tMaterial {\n\t\tLayer {\n\t\t\tFilterMode None,\n\t\t\tstatic TextureID 0,\n\t\t}\n\t}\n}\n' +
  'Geoset {\n\tVertices 3 {\n\t\t{ 0, 0, 0 },\n\t\t{ 1, 0, 0 },\n\t\t{ 0, 1, 0 },\n\t}\n\tNormals 3 {\n\t\t{ 0, 0, 1 },\n\t\t{ 0, 0, 1 },\n\t\t{ 0, 0, 1 },\n\t}\n' +
  '\tTVertices 3 {\n\t\t{ 0, 0 },\n\t\t{ 1, 0 },\n\t\t{ 0, 1 },\n\t}\n\tVertexGroup {\n\t\t0,\n\t\t0,\n\t\t0,\n\t}\n\tFaces 1 3 {\n\t\tTriangles {\n\t\t\t{ 0, 1, 2 },\n\t\t}\n\t}\n' +
  '\tGroups 1 1 {\n\t\tMatrices { 0 },\n\t}\n\tMaterialID 0,\n}\nBone "Root" {\n\tObjectId 0,\n}\nPivotPoints 1 {\n\t{ 0, 0, 0 },\n}\n';

/** Number of stored mip levels; 0 if the format has none or the header is not there. */
function levelsOf(bytes) {
  if (!bytes || bytes.length < 156) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic === 'DDS ') return Math.max(1, view.getUint32(28, true));
  const start = { BLP1: 28, BLP2: 20 }[magic];
  if (!start) return 0;
  let count = 0;
  while (count < 16 && view.getUint32(start + 4 * count, true) > 0 && view.getUint32(start + 64 + 4 * count, true) > 0) ++count;
  return count;
}

/** {width, height, pixels, levels, size} of a texture that the collection knows. */
export async function readPicture(files, path) {
  const bytes = await files.bytesOf(path).catch(() => null); // the library complains about what cannot be read
  const archive = files.archiveOf.get(path);
  await files.put(CARRIER, new TextEncoder().encode(carrierOf(archive ? path.slice(archive.length + 1) : path)), path);
  const { model, scene } = await files.open(archive ? `${archive}/${CARRIER}` : CARRIER, {});
  try {
    if (scene.textures[0].missing) throw new ThawError('this image is damaged, or its format is not supported');
    const { width, height, pixels } = await model.image(scene.textures[0].image);
    return { width, height, pixels: pixels.slice(), levels: levelsOf(bytes), size: bytes?.length ?? 0 };
  } finally {
    model.close();
  }
}

const CHANNELS = ['colour and alpha', 'colour', 'alpha', 'red', 'green', 'blue'];

function paint(canvas, { width, height, pixels }, channel) {
  Object.assign(canvas, { width, height });
  const data = new ImageData(width, height);
  const single = { red: 0, green: 1, blue: 2, alpha: 3 }[channel];
  for (let i = 0; i < pixels.length; i += 4) {
    for (let c = 0; c < 3; ++c) data.data[i + c] = pixels[i + (single ?? c)];
    data.data[i + 3] = channel === 'colour and alpha' ? pixels[i + 3] : 255;
  }
  canvas.getContext('2d').putImageData(data, 0, 0);
}

/** What alpha the pixels have. */
function alphaOf(pixels) {
  let [clear, half] = [0, 0];
  for (let i = 3; i < pixels.length; i += 4) {
    if (pixels[i] === 0) ++clear;
    else if (pixels[i] < 255) ++half;
  }
  return half > 0 ? 'alpha in steps' : clear > 0 ? 'alpha on or off' : 'no transparent pixels';
}

/** Fills `place` with a picture, its facts, and what chooses channels and zoom. */
export function showPicture(place, name, picture) {
  const { width, height, levels, size, pixels } = picture;
  const canvas = element('canvas', { role: 'img', 'aria-label': name });
  const frame = element('div', { class: 'paper', tabindex: '0', role: 'group', 'aria-label': 'Texture' }, canvas);
  paint(canvas, picture, CHANNELS[0]);
  const zoom = (share) => {
    frame.classList.toggle('fit', share === 'fit');
    canvas.style.width = share === 'fit' ? '' : `${width * share}px`;
  };
  const options = (names) => names.map(([value, text]) => element('option', { value }, text));
  const facts = [
    `${width.toLocaleString()} × ${height.toLocaleString()} pixels`,
    levels > 0 ? `${levels} mip level${levels === 1 ? '' : 's'}` : '',
    alphaOf(pixels),
    size > 0 ? `${size.toLocaleString()} bytes` : '',
  ]
    .filter(Boolean)
    .join(' · ');
  place.replaceChildren(
    element(
      'div',
      { class: 'tools' },
      element('strong', {}, name.split('/').pop()),
      element('span', { id: 'picture-facts' }, facts),
      element(
        'select',
        { 'aria-label': 'Channels of the texture', onchange: (event) => paint(canvas, picture, event.target.value) },
        ...options(CHANNELS.map((each) => [each, each])),
      ),
      element(
        'select',
        { 'aria-label': 'Zoom', onchange: (event) => zoom(event.target.value === 'fit' ? 'fit' : Number(event.target.value)) },
        ...options([
          ['fit', 'fit'],
          ['0.5', '50 %'],
          ['1', '100 %'],
          ['2', '200 %'],
          ['4', '400 %'],
          ['8', '800 %'],
        ]),
      ),
      element(
        'button',
        {
          type: 'button',
          onclick: () =>
            canvas.toBlob((blob) => {
              const link = element('a', {
                href: URL.createObjectURL(blob),
                download: `${name
                  .split('/')
                  .pop()
                  .replace(/\.[^.]*$/, '')}.png`,
              });
              link.click();
              setTimeout(() => URL.revokeObjectURL(link.href), 10000);
            }),
        },
        'Save PNG',
      ),
    ),
    frame,
  );
  zoom('fit');
  place.hidden = false;
}
