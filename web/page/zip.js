// Several files as one archive (.zip): APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes) {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; ++i) crc = TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

const deflated = async (bytes) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());

const VERSION = 20;
const UTF8 = 0x800;
const DEFLATED = 8;
const FIRST_DAY = 0x21; // 1980-01-01: the same files are the same archive at any time

/** A record of [value, bytes of it]. */
function record(...members) {
  const bytes = new Uint8Array(members.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of members) {
    if (size === 4) view.setUint32(at, value, true);
    else view.setUint16(at, value, true);
    at += size;
  }
  return bytes;
}

/** @param {{name: string, bytes: Uint8Array}[]} files of which no two have the same name: fewer than 65,535, below 4 GB */
export async function zipOf(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    const packed = await deflated(bytes);
    const common = [
      [UTF8, 2],
      [DEFLATED, 2],
      [0, 2],
      [FIRST_DAY, 2],
      [crcOf(bytes), 4],
      [packed.length, 4],
      [bytes.length, 4],
      [path.length, 2],
      [0, 2],
    ];
    const local = record([0x04034b50, 4], [VERSION, 2], ...common);
    parts.push(local, path, packed);
    directory.push(record([0x02014b50, 4], [VERSION, 2], [VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), path);
    offset += local.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
