// Compares every field of `thaw dump` with what two independent parsers read: npm war3-model and mdx-m3-viewer.
//
//   npm_fields.mjs [--every N] [--json] [DIRECTORY|FILE...]
//
// Without names, over the Warcraft III files of THAW_CORPUS; with --every, over each Nth file.
// Prints how many files and values were compared and every difference that is not one of the parsers' known
// defects, which are listed below with their reasons. Exit code 1 if there is one, 77 without files or parsers.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { loadViewer, loadWar3Model, skip, thaw } from './npm_packages.mjs';

// --- comparing -------------------------------------------------------------------------------------------------

/** Known defects of the parsers: what they touch, and why it is theirs. */
const exceptions = {
  fresnel900: 'mdx-m3-viewer reads fresnel fields at version 900, where they are not there',
  utf8: 'mdx-m3-viewer decodes names as UTF-8 and thereby damages others',
  kftc: 'mdx-m3-viewer reads KFTC as an integer',
  klas: 'war3-model reads KLAS and KLAE as integers',
  slots: 'war3-model takes the position in the list for the slot',
  collision: 'war3-model reads one vertex of planes and cylinders and no radius',
  groups: 'war3-model splits MATS by MTGC and cannot hold counts that disagree',
};

const floatWords = new Float32Array(1);
const floatBits = new Uint32Array(floatWords.buffer);

/** Numbers of the dump: shortest decimals of floats, and names for what JSON cannot say. */
function number(value) {
  const words = { nan: NaN, '-nan': NaN, inf: Infinity, '-inf': -Infinity };
  return typeof value === 'string' && value in words ? words[value] : value;
}

class Comparison {
  constructor(name) {
    this.name = name;
    this.files = 0;
    this.unread = 0;
    this.values = 0;
    this.excused = {};
    this.differences = [];
  }

  begin(file) {
    this.file = file;
    this.files += 1;
  }

  excuse(reason) {
    this.excused[reason] = (this.excused[reason] ?? 0) + 1;
  }

  fail(where, ours, theirs) {
    this.differences.push(`${this.file}: ${where}: thaw ${JSON.stringify(ours)}, ${this.name} ${JSON.stringify(theirs)}`);
  }

  text(where, ours, theirs) {
    this.values += 1;
    if (ours !== theirs) this.fail(where, ours, theirs);
  }

  integer(where, ours, theirs) {
    this.values += 1;
    // Signed or not is the parsers' choice; the 32 bits count.
    if (theirs === undefined || theirs === null || (ours | 0) !== (theirs | 0)) this.fail(where, ours, theirs);
  }

  flag(where, ours, theirs) {
    this.values += 1;
    if (ours !== theirs) this.fail(where, ours, theirs);
  }

  float(where, ours, theirs) {
    this.values += 1;
    floatWords[0] = number(ours);
    const left = floatBits[0];
    const leftIsNaN = Number.isNaN(floatWords[0]);
    floatWords[0] = theirs;
    const same = leftIsNaN ? Number.isNaN(floatWords[0]) : left === floatBits[0];
    if (theirs === undefined || theirs === null || !same) this.fail(where, ours, theirs);
  }

  list(where, ours, theirs, one) {
    this.values += 1;
    if (ours.length !== theirs.length) {
      this.fail(`${where}.length`, ours.length, theirs.length);
      return;
    }
    for (let i = 0; i < ours.length; i += 1) one(`${where}[${i}]`, ours[i], theirs[i]);
  }

  floats(where, ours, theirs) {
    this.list(where, (ours ?? []).flat(2), theirs, (at, a, b) => this.float(at, a, b));
  }

  integers(where, ours, theirs) {
    this.list(where, (ours ?? []).flat(2), theirs, (at, a, b) => this.integer(at, a, b));
  }
}

/** The bytes of a fixed text. */
function bytesOf(text, size) {
  const bytes = Buffer.alloc(size);
  if (typeof text === 'string') bytes.write(text, 'utf8');
  else Buffer.from(text.raw, 'hex').copy(bytes);
  return bytes;
}

const chunkItems = (dump, tag) =>
  dump.chunks.filter((chunk) => chunk.tag === tag).flatMap((chunk) => chunk.items ?? []);
const chunkOf = (dump, tag) => dump.chunks.find((chunk) => chunk.tag === tag);

/** Whether every object of a dump is whole; of others each parser makes what it likes. */
const broken = ['damaged', 'remainder', 'statedSize'];
const intact = (value) =>
  typeof value !== 'object' || value === null || (!broken.some((name) => name in value) && Object.values(value).every(intact));

// --- mdx-m3-viewer ---------------------------------------------------------------------------------------------

class ViewerComparison extends Comparison {
  constructor() {
    super('mdx-m3-viewer');
  }

  name_(where, ours, theirs, size) {
    const bytes = bytesOf(ours, size);
    const end = bytes.indexOf(0);
    const own = bytes.subarray(0, end < 0 ? size : end);
    if (own.some((byte) => byte > 0x7f)) this.excuse('utf8');
    else this.text(where, own.toString('latin1'), theirs);
  }

  tracks(where, ours, theirs) {
    this.list(`${where}.tracks`, ours ?? [], theirs.animations, (at, track, animation) => {
      this.text(`${at}.tag`, track.tag, animation.name);
      this.integer(`${at}.interpolation`, track.interpolation, animation.interpolationType);
      this.integer(`${at}.globalSequenceId`, track.globalSequenceId, animation.globalSequenceId);
      if (track.tag === 'KFTC') {
        this.excuse('kftc');
        return;
      }
      const integer = ['KMTF', 'KRTX', 'KSEK'].includes(track.tag);
      this.list(`${at}.keys`, track.keys, animation.frames, (key, row, frame) => {
        this.integer(`${key}.frame`, row[0], frame);
      });
      track.keys.forEach((row, i) => {
        if (i >= animation.frames.length) return;
        const parts = [animation.values[i], animation.inTans[i], animation.outTans[i]].filter(Boolean);
        const all = parts.flatMap((part) => Array.from(part));
        this[integer ? 'integers' : 'floats'](`${at}.keys[${i}]`, row.slice(1), all);
      });
    });
  }

  node(where, ours, theirs) {
    this.name_(`${where}.name`, ours.name, theirs.name, 80);
    this.integer(`${where}.objectId`, ours.objectId, theirs.objectId);
    this.integer(`${where}.parentId`, ours.parentId, theirs.parentId);
    this.integer(`${where}.flags`, ours.flags, theirs.flags);
  }

  /** A node with tracks of its own behind it: the parser keeps all in one list. */
  object(where, ours, theirs) {
    this.node(where, ours.node, theirs);
    this.tracks(where, [...(ours.node.tracks ?? []), ...(ours.tracks ?? [])], theirs);
  }

  extent(where, ours, theirs) {
    this.float(`${where}.boundsRadius`, ours.boundsRadius, theirs.boundsRadius);
    this.floats(`${where}.minimum`, ours.minimum, theirs.min);
    this.floats(`${where}.maximum`, ours.maximum, theirs.max);
  }

  /** Fields by pairs of names: ours and theirs. */
  named(where, ours, theirs, { integers = {}, floats = {}, arrays = {} }) {
    for (const [a, b] of Object.entries(integers)) this.integer(`${where}.${a}`, ours[a], theirs[b]);
    for (const [a, b] of Object.entries(floats)) this.float(`${where}.${a}`, ours[a], theirs[b]);
    for (const [a, b] of Object.entries(arrays)) this.floats(`${where}.${a}`, ours[a], theirs[b]);
  }

  compare(dump, model) {
    const version = chunkOf(dump, 'VERS')?.version ?? 800;
    this.integer('VERS', version, model.version);
    const header = chunkOf(dump, 'MODL');
    if (header) {
      this.name_('MODL.name', header.name, model.name, 80);
      this.extent('MODL.extent', header.extent, model.extent);
      this.integer('MODL.blendTime', header.blendTime, model.blendTime);
    }
    const each = (tag, theirs, one) => this.list(tag, chunkItems(dump, tag), theirs, one);
    each('SEQS', model.sequences, (at, a, b) => this.sequence(at, a, b));
    this.integers('GLBS', chunkOf(dump, 'GLBS')?.durations, model.globalSequences);
    each('TEXS', model.textures, (at, a, b) => {
      this.name_(`${at}.path`, a.path, b.path, 260);
      this.named(at, a, b, { integers: { replaceableId: 'replaceableId', flags: 'wrapMode' } });
    });
    each('MTLS', model.materials, (at, a, b) => this.material(at, a, b, version));
    each('TXAN', model.textureAnimations, (at, a, b) => this.tracks(at, a.tracks, b));
    each('GEOS', model.geosets, (at, a, b) => this.geoset(at, a, b));
    each('GEOA', model.geosetAnimations, (at, a, b) => {
      this.named(at, a, b, {
        integers: { flags: 'flags', geosetId: 'geosetId' },
        floats: { alpha: 'alpha' },
        arrays: { color: 'color' },
      });
      this.tracks(at, a.tracks, b);
    });
    this.objects(each, model);
    this.emitters(each, model);
    this.floats('PIVT', chunkOf(dump, 'PIVT')?.points, model.pivotPoints.flatMap((point) => Array.from(point)));
    each('FAFX', model.faceEffects, (at, a, b) => {
      this.name_(`${at}.target`, a.target, b.type, 80);
      this.name_(`${at}.path`, a.path, b.path, 260);
    });
    this.floats('BPOS', chunkOf(dump, 'BPOS')?.poses, model.bindPose.flatMap((pose) => Array.from(pose)));
  }

  sequence(at, a, b) {
    this.name_(`${at}.name`, a.name, b.name, 80);
    this.integers(`${at}.interval`, [a.start, a.end], b.interval);
    this.named(at, a, b, {
      integers: { flags: 'nonLooping', syncPoint: 'syncPoint' },
      floats: { moveSpeed: 'moveSpeed', rarity: 'rarity' },
    });
    this.extent(`${at}.extent`, a.extent, b.extent);
  }

  material(at, a, b, version) {
    this.named(at, a, b, { integers: { priorityPlane: 'priorityPlane', flags: 'flags' } });
    if (version >= 900) this.name_(`${at}.shader`, a.shader, b.shader, 80);
    this.list(`${at}.layers`, a.layers, b.layers, (where, ours, theirs) => {
      this.named(where, ours, theirs, {
        integers: {
          filterMode: 'filterMode',
          shadingFlags: 'flags',
          textureId: 'textureId',
          textureAnimationId: 'textureAnimationId',
          coordId: 'coordId',
        },
        floats: { alpha: 'alpha' },
      });
      if (version >= 900 && !('fresnelColor' in ours)) {
        this.excuse('fresnel900');
        return;
      }
      if (version >= 900) {
        this.named(where, ours, theirs, {
          floats: {
            emissiveGain: 'emissiveGain',
            fresnelOpacity: 'fresnelOpacity',
            fresnelTeamColor: 'fresnelTeamColor',
          },
          arrays: { fresnelColor: 'fresnelColor' },
        });
      }
      this.tracks(where, ours.tracks, theirs);
    });
  }

  geoset(at, a, b) {
    this.named(at, a, b, {
      integers: { materialId: 'materialId', selectionGroup: 'selectionGroup', selectionFlags: 'selectionFlags' },
      arrays: { positions: 'vertices', normals: 'normals' },
    });
    this.integers(`${at}.primitiveTypes`, a.primitiveTypes, b.faceTypeGroups);
    this.integers(`${at}.primitiveCounts`, a.primitiveCounts, b.faceGroups);
    this.integers(`${at}.indices`, a.indices, b.faces);
    this.integers(`${at}.vertexGroups`, a.vertexGroups, b.vertexGroups);
    this.integers(`${at}.matrixGroups`, a.matrixGroups, b.matrixGroups);
    this.integers(`${at}.matrixIndices`, a.matrixIndices, b.matrixIndices);
    this.extent(`${at}.extent`, a.extent, b.extent);
    this.list(`${at}.sequenceExtents`, a.sequenceExtents, b.sequenceExtents, (where, x, y) => this.extent(where, x, y));
    if ('lod' in a) {
      this.integer(`${at}.lod`, a.lod, b.lod);
      this.name_(`${at}.lodName`, a.lodName, b.lodName, 80);
      this.floats(`${at}.tangents`, a.tangents, b.tangents);
      this.integers(`${at}.skin`, a.skin, b.skin);
    }
    this.list(`${at}.uvSets`, a.uvSets, b.uvSets, (where, x, y) => this.floats(where, x.coordinates, y));
  }

  objects(each, model) {
    each('BONE', model.bones, (at, a, b) => {
      this.object(at, a, b);
      this.named(at, a, b, { integers: { geosetId: 'geosetId', geosetAnimationId: 'geosetAnimationId' } });
    });
    each('LITE', model.lights, (at, a, b) => {
      this.object(at, a, b);
      this.integer(`${at}.type`, a.type, b.type);
      this.floats(`${at}.attenuation`, [a.attenuationStart, a.attenuationEnd], b.attenuation);
      this.named(at, a, b, {
        floats: { intensity: 'intensity', ambientIntensity: 'ambientIntensity' },
        arrays: { color: 'color', ambientColor: 'ambientColor' },
      });
    });
    each('HELP', model.helpers, (at, a, b) => this.object(at, a, b));
    each('ATCH', model.attachments, (at, a, b) => {
      this.object(at, a, b);
      this.name_(`${at}.path`, a.path, b.path, 260);
      this.integer(`${at}.attachmentId`, a.attachmentId, b.attachmentId);
    });
    each('CAMS', model.cameras, (at, a, b) => {
      this.name_(`${at}.name`, a.name, b.name, 80);
      this.named(at, a, b, {
        floats: { fieldOfView: 'fieldOfView', farClip: 'farClippingPlane', nearClip: 'nearClippingPlane' },
        arrays: { position: 'position', target: 'targetPosition' },
      });
      this.tracks(at, a.tracks, b);
    });
    each('EVTS', model.eventObjects, (at, a, b) => {
      this.object(at, a, b);
      this.integer(`${at}.globalSequenceId`, a.track?.globalSequenceId ?? -1, b.globalSequenceId);
      this.integers(`${at}.frames`, a.track?.frames, b.tracks);
    });
    each('CLID', model.collisionShapes, (at, a, b) => {
      this.object(at, a, b);
      this.integer(`${at}.type`, a.type, b.type);
      const vertices = Array.from(b.vertices[0]).concat(a.type === 2 ? [] : Array.from(b.vertices[1]));
      this.floats(`${at}.payload`, a.payload, a.type >= 2 ? [...vertices, b.boundsRadius] : vertices);
    });
  }

  emitters(each, model) {
    each('PREM', model.particleEmitters, (at, a, b) => {
      this.object(at, a, b);
      this.name_(`${at}.path`, a.path, b.path, 260);
      const same = ['emissionRate', 'gravity', 'longitude', 'latitude', 'lifeSpan', 'speed'];
      this.named(at, a, b, { floats: Object.fromEntries(same.map((name) => [name, name])) });
    });
    each('PRE2', model.particleEmitters2, (at, a, b) => this.sprites(at, a, b));
    each('RIBB', model.ribbonEmitters, (at, a, b) => {
      this.object(at, a, b);
      const floats = ['heightAbove', 'heightBelow', 'alpha', 'lifeSpan', 'gravity'];
      const integers = ['textureSlot', 'emissionRate', 'rows', 'columns', 'materialId'];
      this.named(at, a, b, {
        floats: Object.fromEntries(floats.map((name) => [name, name])),
        integers: Object.fromEntries(integers.map((name) => [name, name])),
        arrays: { color: 'color' },
      });
    });
    each('CORN', model.particleEmittersPopcorn, (at, a, b) => {
      this.object(at, a, b);
      const floats = ['lifeSpan', 'emissionRate', 'speed', 'alpha'];
      this.named(at, a, b, {
        floats: Object.fromEntries(floats.map((name) => [name, name])),
        integers: { replaceableId: 'replaceableId' },
        arrays: { color: 'color' },
      });
      this.name_(`${at}.path`, a.path, b.path, 260);
      this.name_(`${at}.animVisibilityGuide`, a.animVisibilityGuide, b.animationVisiblityGuide, 260);
    });
  }

  sprites(at, a, b) {
    this.object(at, a, b);
    this.named(at, a, b, {
      integers: {
        filterMode: 'filterMode', rows: 'rows', columns: 'columns', headOrTail: 'headOrTail', textureId: 'textureId',
        squirt: 'squirt', priorityPlane: 'priorityPlane', replaceableId: 'replaceableId',
      },
      floats: {
        speed: 'speed', variation: 'variation', latitude: 'latitude', gravity: 'gravity', lifeSpan: 'lifeSpan',
        // The parser's names of these two are exchanged; the places in the file are the same.
        emissionRate: 'emissionRate', length: 'width', width: 'length', tailLength: 'tailLength', time: 'timeMiddle',
      },
      arrays: { segmentScales: 'segmentScaling' },
    });
    this.floats(`${at}.segmentColors`, a.segmentColors, b.segmentColors.flatMap((color) => Array.from(color)));
    this.integers(`${at}.segmentAlphas`, a.segmentAlphas, b.segmentAlphas);
    const runs = [a.headLife, a.headDecay, a.tailLife, a.tailDecay].flatMap((run) => [run.start, run.end, run.repeat]);
    const theirs = [...b.headIntervals, ...b.tailIntervals].flatMap((interval) => Array.from(interval));
    this.integers(`${at}.cells`, runs, theirs);
  }
}

// --- war3-model ------------------------------------------------------------------------------------------------

const integerTags = ['KMTF', 'KRTX', 'KSEK'];

class War3Comparison extends Comparison {
  constructor() {
    super('war3-model');
  }

  /** The parser keeps everything before the trailing NULs, byte by byte. */
  latin(where, texts, theirs, size) {
    const bytes = Buffer.concat(texts.map(([text, length]) => bytesOf(text, length))).subarray(0, size);
    this.text(where, bytes.toString('latin1').replace(/\0+$/, ''), theirs);
  }

  track(where, track, theirs) {
    this.integer(`${where}.interpolation`, track.interpolation, theirs?.LineType);
    if (!theirs) return;
    this.integer(`${where}.globalSequenceId`, track.globalSequenceId, theirs.GlobalSeqId ?? -1);
    if (track.tag === 'KLAS' || track.tag === 'KLAE') {
      this.excuse('klas');
      return;
    }
    const kind = integerTags.includes(track.tag) ? 'integers' : 'floats';
    this.list(`${where}.keys`, track.keys, theirs.Keys, (at, row, key) => {
      this.integer(`${at}.frame`, row[0], key.Frame);
      const parts = [key.Vector, key.InTan, key.OutTan].filter(Boolean);
      this[kind](`${at}.value`, row.slice(1), parts.flatMap((part) => Array.from(part)));
    });
  }

  /**
   * A static value and the track that takes its place in the parser's object: ours, tag, theirs. No static name
   * where only a track exists.
   */
  animated(where, ours, theirs, table) {
    for (const [name, tag, property] of table) {
      const track = (ours.tracks ?? []).find((one) => one.tag === tag);
      if (track) this.track(`${where}.${tag}`, track, theirs[property]);
      else if (!name) this.flag(`${where}.${tag}`, undefined, theirs[property]);
      else if (Array.isArray(ours[name])) this.floats(`${where}.${name}`, ours[name], theirs[property]);
      else this.float(`${where}.${name}`, ours[name], theirs[property]);
    }
  }

  integersOf(where, ours, theirs, names) {
    for (const [a, b] of Object.entries(names)) {
      this.integer(`${where}.${a}`, ours[a], theirs[b] === null ? -1 : theirs[b]);
    }
  }

  node(where, ours, theirs) {
    this.latin(`${where}.name`, [[ours.name, 80]], theirs.Name, 80);
    this.integersOf(where, ours, theirs, { objectId: 'ObjectId', parentId: 'Parent', flags: 'Flags' });
    this.animated(where, ours, theirs, [
      [null, 'KGTR', 'Translation'],
      [null, 'KGRT', 'Rotation'],
      [null, 'KGSC', 'Scaling'],
    ]);
  }

  extent(where, ours, theirs) {
    this.float(`${where}.boundsRadius`, ours.boundsRadius, theirs.BoundsRadius);
    this.floats(`${where}.minimum`, ours.minimum, theirs.MinimumExtent);
    this.floats(`${where}.maximum`, ours.maximum, theirs.MaximumExtent);
  }

  compare(dump, model) {
    const version = chunkOf(dump, 'VERS')?.version ?? 800;
    this.integer('VERS', version, model.Version);
    const header = chunkOf(dump, 'MODL');
    if (header) {
      // It reads the name over both texts.
      this.latin('MODL.name', [[header.name, 80], [header.animationFileName, 260]], model.Info.Name, 336);
      this.extent('MODL.extent', header.extent, model.Info);
      this.integer('MODL.blendTime', header.blendTime, model.Info.BlendTime);
    }
    const each = (tag, theirs, one) => this.list(tag, chunkItems(dump, tag), theirs ?? [], one);
    each('SEQS', model.Sequences, (at, a, b) => {
      this.latin(`${at}.name`, [[a.name, 80]], b.Name, 80);
      this.integers(`${at}.interval`, [a.start, a.end], b.Interval);
      this.float(`${at}.moveSpeed`, a.moveSpeed, b.MoveSpeed);
      this.flag(`${at}.flags`, (a.flags | 0) > 0, b.NonLooping);
      this.float(`${at}.rarity`, a.rarity, b.Rarity);
      this.extent(`${at}.extent`, a.extent, b);
    });
    this.integers('GLBS', chunkOf(dump, 'GLBS')?.durations, model.GlobalSequences);
    each('TEXS', model.Textures, (at, a, b) => {
      this.latin(`${at}.path`, [[a.path, 260]], b.Image, 256);
      this.integersOf(at, a, b, { replaceableId: 'ReplaceableId', flags: 'Flags' });
    });
    each('MTLS', model.Materials, (at, a, b) => this.material(at, a, b, version));
    each('TXAN', model.TextureAnims, (at, a, b) => {
      const table = [['KTAT', 'Translation'], ['KTAR', 'Rotation'], ['KTAS', 'Scaling']];
      this.animated(at, a, b, table.map(([tag, property]) => [null, tag, property]));
    });
    each('GEOS', model.Geosets, (at, a, b) => this.geoset(at, a, b, version));
    each('GEOA', model.GeosetAnims, (at, a, b) => {
      this.integersOf(at, a, b, { flags: 'Flags', geosetId: 'GeosetId' });
      this.animated(at, a, b, [['alpha', 'KGAO', 'Alpha'], ['color', 'KGAC', 'Color']]);
    });
    this.objects(each, model);
    this.emitters(each, model);
    this.floats('PIVT', chunkOf(dump, 'PIVT')?.points, model.PivotPoints.flatMap((point) => Array.from(point)));
    each('FAFX', model.FaceFX, (at, a, b) => {
      this.latin(`${at}.target`, [[a.target, 80]], b.Name, 80);
      this.latin(`${at}.path`, [[a.path, 260]], b.Path, 260);
    });
    const poses = (model.BindPoses ?? []).flatMap((pose) => pose.Matrices.flatMap((matrix) => Array.from(matrix)));
    this.floats('BPOS', chunkOf(dump, 'BPOS')?.poses, poses);
  }

  material(at, a, b, version) {
    this.integersOf(at, a, b, { priorityPlane: 'PriorityPlane', flags: 'RenderMode' });
    if (version >= 900 && version < 1100) this.latin(`${at}.shader`, [[a.shader, 80]], b.Shader, 80);
    this.list(`${at}.layers`, a.layers, b.Layers, (where, ours, theirs) => {
      const names = { filterMode: 'FilterMode', shadingFlags: 'Shading', textureAnimationId: 'TVertexAnimId', coordId: 'CoordId' };
      this.integersOf(where, ours, theirs, names);
      const flipbook = (ours.tracks ?? []).find((track) => track.tag === 'KMTF');
      if (version >= 1100) this.slots(where, ours, theirs);
      else if (flipbook) this.track(`${where}.KMTF`, flipbook, theirs.TextureID);
      else this.integer(`${where}.textureId`, ours.textureId, theirs.TextureID);
      this.animated(where, ours, theirs, [['alpha', 'KMTA', 'Alpha']]);
      if (version >= 900) this.animated(where, ours, theirs, [['emissiveGain', 'KMTE', 'EmissiveGain']]);
      if (version >= 1000) {
        this.animated(where, ours, theirs, [
          ['fresnelColor', 'KFC3', 'FresnelColor'],
          ['fresnelOpacity', 'KFCA', 'FresnelOpacity'],
          ['fresnelTeamColor', 'KFTC', 'FresnelTeamColor'],
        ]);
      }
    });
  }

  slots(where, ours, theirs) {
    this.integer(`${where}.shaderId`, ours.shaderId, theirs.ShaderTypeId);
    const properties = ['TextureID', 'NormalTextureID', 'ORMTextureID', 'EmissiveTextureID', 'TeamColorTextureID', 'ReflectionsTextureID'];
    ours.slots.forEach((slot, i) => {
      if (slot.slot !== i || i >= properties.length) this.excuse('slots');
      else if (slot.textureIds) this.track(`${where}.slots[${i}]`, slot.textureIds, theirs[properties[i]]);
      else this.integer(`${where}.slots[${i}]`, slot.textureId, theirs[properties[i]]);
    });
  }

  geoset(at, a, b, version) {
    this.floats(`${at}.positions`, a.positions, b.Vertices);
    this.floats(`${at}.normals`, a.normals, b.Normals);
    this.integers(`${at}.indices`, a.indices, b.Faces);
    this.integers(`${at}.vertexGroups`, a.vertexGroups, b.VertexGroup);
    if (a.matrixGroups.reduce((sum, count) => sum + count, 0) === a.matrixIndices.length) {
      this.integers(`${at}.matrixGroups`, a.matrixGroups, b.Groups.map((group) => group.length));
      this.integers(`${at}.matrixIndices`, a.matrixIndices, b.Groups.flat());
    } else {
      this.excuse('groups');
    }
    this.integersOf(at, a, b, { materialId: 'MaterialID', selectionGroup: 'SelectionGroup' });
    this.flag(`${at}.selectionFlags`, (a.selectionFlags | 0) > 0, b.Unselectable);
    this.extent(`${at}.extent`, a.extent, b);
    this.list(`${at}.sequenceExtents`, a.sequenceExtents, b.Anims, (where, x, y) => this.extent(where, x, y));
    if (version >= 900) {
      this.integer(`${at}.lod`, a.lod, b.LevelOfDetail);
      this.latin(`${at}.lodName`, [[a.lodName, 80]], b.Name, 80);
      this.floats(`${at}.tangents`, a.tangents, b.Tangents ?? []);
      this.integers(`${at}.skin`, a.skin, b.SkinWeights ?? []);
    }
    this.list(`${at}.uvSets`, a.uvSets, b.TVertices, (where, x, y) => this.floats(where, x.coordinates, y));
  }

  objects(each, model) {
    each('BONE', model.Bones, (at, a, b) => {
      this.node(at, a.node, b);
      this.integersOf(at, a, b, { geosetId: 'GeosetId', geosetAnimationId: 'GeosetAnimId' });
    });
    each('LITE', model.Lights, (at, a, b) => {
      this.node(at, a.node, b);
      this.integer(`${at}.type`, a.type, b.LightType);
      this.animated(at, a, b, [
        ['attenuationStart', 'KLAS', 'AttenuationStart'], ['attenuationEnd', 'KLAE', 'AttenuationEnd'],
        ['color', 'KLAC', 'Color'], ['intensity', 'KLAI', 'Intensity'], ['ambientColor', 'KLBC', 'AmbColor'],
        ['ambientIntensity', 'KLBI', 'AmbIntensity'], [null, 'KLAV', 'Visibility'],
      ]);
    });
    each('HELP', model.Helpers, (at, a, b) => this.node(at, a.node, b));
    each('ATCH', model.Attachments, (at, a, b) => {
      this.node(at, a.node, b);
      this.latin(`${at}.path`, [[a.path, 260]], b.Path, 256);
      this.integer(`${at}.attachmentId`, a.attachmentId, b.AttachmentID);
      this.animated(at, a, b, [[null, 'KATV', 'Visibility']]);
    });
    each('CAMS', model.Cameras, (at, a, b) => {
      this.latin(`${at}.name`, [[a.name, 80]], b.Name, 80);
      this.floats(`${at}.position`, a.position, b.Position);
      this.floats(`${at}.target`, a.target, b.TargetPosition);
      this.floats(`${at}.lens`, [a.fieldOfView, a.farClip, a.nearClip], [b.FieldOfView, b.FarClip, b.NearClip]);
      this.animated(at, a, b, [[null, 'KCTR', 'Translation'], [null, 'KTTR', 'TargetTranslation'], [null, 'KCRL', 'Rotation']]);
    });
    each('EVTS', model.EventObjects, (at, a, b) => {
      this.node(at, a.node, b);
      this.integers(`${at}.frames`, a.track?.frames, b.EventTrack);
    });
    each('CLID', model.CollisionShapes, (at, a, b) => {
      this.node(at, a.node, b);
      this.integer(`${at}.type`, a.type, b.Shape);
      if (a.type === 1 || a.type === 3) this.excuse('collision');
      else this.floats(`${at}.payload`, a.payload, a.type === 2 ? [...b.Vertices, b.BoundsRadius] : b.Vertices);
    });
  }

  emitters(each, model) {
    each('PREM', model.ParticleEmitters, (at, a, b) => {
      this.node(at, a.node, b);
      this.latin(`${at}.path`, [[a.path, 260]], b.Path, 256);
      this.animated(at, a, b, [
        ['emissionRate', 'KPEE', 'EmissionRate'], ['gravity', 'KPEG', 'Gravity'], ['longitude', 'KPLN', 'Longitude'],
        ['latitude', 'KPLT', 'Latitude'], ['lifeSpan', 'KPEL', 'LifeSpan'], ['speed', 'KPES', 'InitVelocity'],
        [null, 'KPEV', 'Visibility'],
      ]);
    });
    each('PRE2', model.ParticleEmitters2, (at, a, b) => this.sprites(at, a, b));
    each('RIBB', model.RibbonEmitters, (at, a, b) => {
      this.node(at, a.node, b);
      this.integersOf(at, a, b, { emissionRate: 'EmissionRate', rows: 'Rows', columns: 'Columns', materialId: 'MaterialID' });
      const slot = (a.tracks ?? []).find((track) => track.tag === 'KRTX');
      if (slot) this.track(`${at}.KRTX`, slot, b.TextureSlot);
      else this.integer(`${at}.textureSlot`, a.textureSlot, b.TextureSlot);
      this.float(`${at}.lifeSpan`, a.lifeSpan, b.LifeSpan);
      this.float(`${at}.gravity`, a.gravity, b.Gravity);
      this.floats(`${at}.color`, a.color, b.Color);
      this.animated(at, a, b, [
        ['heightAbove', 'KRHA', 'HeightAbove'], ['heightBelow', 'KRHB', 'HeightBelow'], ['alpha', 'KRAL', 'Alpha'],
        [null, 'KRVS', 'Visibility'],
      ]);
    });
    each('CORN', model.ParticleEmitterPopcorns, (at, a, b) => {
      this.node(at, a.node, b);
      this.integer(`${at}.replaceableId`, a.replaceableId, b.ReplaceableId);
      this.latin(`${at}.path`, [[a.path, 260]], b.Path, 260);
      this.latin(`${at}.animVisibilityGuide`, [[a.animVisibilityGuide, 260]], b.AnimVisibilityGuide, 260);
      this.animated(at, a, b, [
        ['lifeSpan', 'KPPL', 'LifeSpan'], ['emissionRate', 'KPPE', 'EmissionRate'], ['speed', 'KPPS', 'Speed'],
        ['color', 'KPPC', 'Color'], ['alpha', 'KPPA', 'Alpha'], [null, 'KPPV', 'Visibility'],
      ]);
    });
  }

  sprites(at, a, b) {
    this.node(at, a.node, b);
    this.animated(at, a, b, [
      ['speed', 'KP2S', 'Speed'], ['variation', 'KP2R', 'Variation'], ['latitude', 'KP2L', 'Latitude'],
      ['gravity', 'KP2G', 'Gravity'], ['emissionRate', 'KP2E', 'EmissionRate'], [null, 'KP2V', 'Visibility'],
    ]);
    // It calls the first of the two static values Width, but has KP2N as Length: by place and by tag all agree.
    const track = (tag) => (a.tracks ?? []).find((one) => one.tag === tag);
    if (track('KP2W')) this.track(`${at}.KP2W`, track('KP2W'), b.Width);
    else this.float(`${at}.length`, a.length, b.Width);
    if (track('KP2N')) this.track(`${at}.KP2N`, track('KP2N'), b.Length);
    else this.float(`${at}.width`, a.width, b.Length);
    this.float(`${at}.lifeSpan`, a.lifeSpan, b.LifeSpan);
    this.integersOf(at, a, b, {
      filterMode: 'FilterMode', rows: 'Rows', columns: 'Columns', textureId: 'TextureID', priorityPlane: 'PriorityPlane',
      replaceableId: 'ReplaceableId',
    });
    this.integer(`${at}.headOrTail`, [1, 2, 3][a.headOrTail] ?? 0, b.FrameFlags);
    this.flag(`${at}.squirt`, (a.squirt | 0) > 0, b.Squirt);
    this.float(`${at}.tailLength`, a.tailLength, b.TailLength);
    this.float(`${at}.time`, a.time, b.Time);
    this.floats(`${at}.segmentColors`, a.segmentColors, b.SegmentColor.flatMap((color) => Array.from(color)));
    this.integers(`${at}.segmentAlphas`, a.segmentAlphas, b.Alpha);
    this.floats(`${at}.segmentScales`, a.segmentScales, b.ParticleScaling);
    const runs = [['headLife', 'LifeSpanUVAnim'], ['headDecay', 'DecayUVAnim'], ['tailLife', 'TailUVAnim'], ['tailDecay', 'TailDecayUVAnim']];
    for (const [ours, theirs] of runs) {
      this.integers(`${at}.${ours}`, [a[ours].start, a[ours].end, a[ours].repeat], b[theirs]);
    }
  }
}

// --- files -----------------------------------------------------------------------------------------------------

function findModels(start) {
  if (fs.statSync(start).isFile()) return [start];
  return fs
    .readdirSync(start, { recursive: true })
    .filter((name) => name.toLowerCase().endsWith('.mdx'))
    .sort()
    .map((name) => path.join(start, name));
}

const war3 = loadWar3Model();
const viewer = loadViewer();
const parsers = [
  {
    comparison: new War3Comparison(),
    parse: (bytes) => war3.parseMDX(bytes),
  },
  {
    comparison: new ViewerComparison(),
    parse: (bytes) => {
      const model = new viewer.parsers.mdlx.Model();
      model.load(bytes);
      return model;
    },
  },
];

function dumpOf(file) {
  const text = execFileSync(thaw, ['dump', file], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(text);
}

function compareFile(file, label) {
  const dump = dumpOf(file);
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  for (const { comparison, parse } of parsers) {
    let model;
    try {
      model = parse(buffer.slice(0));
    } catch {
      comparison.unread += 1;
      continue;
    }
    comparison.begin(label);
    if (intact(dump)) comparison.compare(dump, model);
    else comparison.unread += 1;
  }
}

function main(args) {
  let every = 1;
  let json = false;
  const starts = [];
  while (args.length > 0) {
    const argument = args.shift();
    if (argument === '--every') every = Number(args.shift());
    else if (argument === '--json') json = true;
    else starts.push(argument);
  }
  if (starts.length === 0 && process.env.THAW_CORPUS) starts.push(path.join(process.env.THAW_CORPUS, 'wc3'));
  if (starts.length === 0 || !starts.every((start) => fs.existsSync(start))) skip('no model files');
  for (const start of starts) {
    const files = findModels(start).filter((_, i) => i % every === 0);
    for (const file of files) compareFile(file, path.relative(start, file) || file);
  }
  let good = true;
  for (const { comparison } of parsers) {
    const { name, files, unread, values, excused, differences } = comparison;
    good &&= differences.length === 0 && files > 0;
    if (json) {
      console.log(JSON.stringify({ name, files, unread, values, excused, differences: differences.length }));
      continue;
    }
    console.log(`${name}: ${files} files, ${values} values equal but for ${differences.length}; it cannot read ${unread}`);
    for (const [reason, count] of Object.entries(excused)) console.log(`  ${count} left out: ${exceptions[reason]}`);
    for (const difference of differences.slice(0, 20)) console.log(`  ${difference}`);
  }
  process.exit(good ? 0 : 1);
}

main(process.argv.slice(2));
