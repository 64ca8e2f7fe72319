// What the library says of a moment's picture, as the backend takes it: the draws are read where they are needed, so that a
// worker hands them over as they lie.

import { constants, structs } from './interface.js';

const NONE = constants.THAW_NONE;
const none = (index) => (index === NONE ? null : index);

/** Members of a draw at their place among 32-bit words. */
const DRAW = Object.fromEntries(Object.entries(structs.thaw_draw.members).map(([member, [at]]) => [member, at / 4]));

/** @param {any} frame as Model.evaluate gives it */
export function readFrame({ draws, drawCount, ...others }) {
  const stride = draws.length / 4 / drawCount;
  const words = new Uint32Array(draws.buffer, draws.byteOffset, draws.length / 4);
  const floats = new Float32Array(draws.buffer, draws.byteOffset, draws.length / 4);
  return { ...others, draws: Array.from({ length: drawCount }, (_, i) => readDraw(words, floats, i * stride)) };
}

function readDraw(words, floats, at) {
  const index = (member) => none(words[at + DRAW[member]]);
  const wraps = words[at + DRAW.wraps];
  const sampler = (member, i) => ({ image: index(member), wrapU: ((wraps >> (2 * i)) & 1) !== 0, wrapV: ((wraps >> (2 * i)) & 2) !== 0 });
  const flags = words[at + DRAW.flags];
  const is = (flag) => (flags & flag) !== 0;
  const numbers = (member, count) => floats.subarray(at + DRAW[member], at + DRAW[member] + count);
  const restMesh = index('restMesh');
  const origin = words[at + DRAW.origin];
  const object = words[at + DRAW.object];
  return {
    topology: words[at + DRAW.topology],
    firstIndex: words[at + DRAW.firstIndex],
    indexCount: words[at + DRAW.indexCount],
    basePosition: words[at + DRAW.basePosition],
    baseUv: index('baseUv'),
    baseColor: index('baseColor'),
    depthTest: is(constants.THAW_DRAW_DEPTH_TEST),
    depthWrite: is(constants.THAW_DRAW_DEPTH_WRITE),
    twoSided: is(constants.THAW_DRAW_TWO_SIDED),
    fogged: is(constants.THAW_DRAW_FOGGED),
    physicallyBased: is(constants.THAW_DRAW_PHYSICALLY_BASED),
    blend: words[at + DRAW.blend],
    origin,
    object,
    layer: words[at + DRAW.layer],
    texture: sampler('texture', 0),
    orm: sampler('orm', 1),
    emissive: sampler('emissive', 2),
    teamColor: sampler('teamColor', 3),
    normal: sampler('normal', 4),
    environment: sampler('environment', 5),
    uvMatrix: numbers('uvMatrix', 6),
    color: numbers('color', 4),
    alphaCutoff: floats[at + DRAW.alphaCutoff],
    emissiveGain: floats[at + DRAW.emissiveGain],
    baseNormal: index('baseNormal'),
    baseTangent: index('baseTangent'),
    environmentGain: floats[at + DRAW.environmentGain],
    rim: numbers('rim', 4), // its opacity last
    rimTeam: floats[at + DRAW.rimTeam],
    normalInAlpha: is(constants.THAW_DRAW_NORMAL_IN_ALPHA),
    lit: is(constants.THAW_DRAW_LIT),
    sphereMap: is(constants.THAW_DRAW_SPHERE_MAP),
    restMesh,
    baseMatrix: words[at + DRAW.baseMatrix],
    uvSet: words[at + DRAW.uvSet],
    bareColor: floats[at + DRAW.bareColor],
    ownMesh: origin === 0 && (restMesh === null || restMesh === object), // not one of a model within the model
  };
}
