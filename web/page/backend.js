// Draws frames with WebGL2. It knows draws, states and pictures, and no format: all meaning is settled by the
// evaluator, and the built-in rasteriser draws the same list. Where the two agree, and how closely, is tested.

import { isOutside, planesOf } from './culling.js';

/** Bytes of an array that goes to the card in a task of its own. */
const WORTH_A_TASK = 1 << 20;

/** Texels in a row of the textures that hold lists. */
const ROW = 2048;

const VERTEX = `#version 300 es
#define ROW ${ROW}
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
layout(location = 3) in vec3 normal;
layout(location = 4) in vec4 tangent;
layout(location = 5) in uint group;
uniform mat4 view;
uniform mat4 projection;
uniform mat3x2 uv_matrix;
uniform bool at_rest; // else the vertices are in world space, and light is in their colours
uniform bool lit;
uniform bool sphere_map;
uniform highp sampler2D matrices; // rows of affine matrices, a texel each
uniform int base_matrix;
uniform highp sampler2D influences; // joints and weights
uniform int influence_count; // of a group; 0: the first matrix moves all
uniform vec3 ambient;
uniform float most;
uniform int light_count;
uniform vec4 light_places[8]; // w: 1 where it is near
uniform vec3 light_colors[8];
uniform vec2 light_ranges[8];
out vec2 texel;
out vec4 tint;
out float depth;
out vec3 place;
out vec3 upright;
out vec4 along;

// --- meshes at rest: src/frame/meshes.cpp and src/frame/lighting.cpp have the same formulae
vec4 at(highp sampler2D list, int index) {
  return texelFetch(list, ivec2(index % ROW, index / ROW), 0);
}
mat3x4 matrix(int index) {
  int first = (base_matrix + index) * 3;
  return mat3x4(at(matrices, first), at(matrices, first + 1), at(matrices, first + 2));
}
mat3x4 blended() {
  if (influence_count == 0) return matrix(0);
  mat3x4 sum = mat3x4(0.0);
  for (int i = 0; i < influence_count; i += 1) {
    vec2 influence = at(influences, int(group) * influence_count + i).xy;
    if (influence.y != 0.0) sum += matrix(int(influence.x)) * influence.y;
  }
  return sum;
}
vec3 turned(vec3 way, mat3x4 by) {
  vec3 result = vec4(way, 0.0) * by;
  float size = length(result);
  return size > 1e-18 ? result / size : vec3(0.0);
}
vec3 light() {
  vec3 sum = ambient;
  for (int i = 0; i < light_count; i += 1) {
    vec3 way = light_places[i].xyz;
    float arrives = 1.0;
    if (light_places[i].w > 0.0) {
      way -= place;
      float away = length(way);
      vec2 range = light_ranges[i];
      arrives = range.y > range.x ? clamp((range.y - away) / (range.y - range.x), 0.0, 1.0) : away <= range.y ? 1.0 : 0.0;
      way = away > 1e-9 ? way / away : vec3(0.0);
    }
    sum += light_colors[i] * max(dot(upright, way), 0.0) * arrives;
  }
  return clamp(sum, vec3(0.0), vec3(most));
}
void main() {
  place = position;
  upright = normal;
  along = tangent;
  tint = color;
  if (at_rest) {
    mat3x4 by = blended();
    place = vec4(position, 1.0) * by;
    upright = turned(normal, by);
    along = vec4(turned(tangent.xyz, by), tangent.w);
    if (lit) tint.rgb *= light();
    tint = clamp(tint, 0.0, 1.0);
  }
  vec4 seen = view * vec4(place, 1.0);
  gl_Position = projection * seen;
  gl_PointSize = 3.0;
  vec2 facing = (mat3(view) * upright).xy;
  texel = uv_matrix * vec3(sphere_map ? vec2(0.5 + 0.5 * facing.x, 0.5 - 0.5 * facing.y) : uv, 1.0);
  depth = -seen.z;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
const float LEVEL_BIAS = -0.25; // of mip levels, as src/raster/textures.hpp has it
in vec2 texel;
in vec4 tint;
in float depth;
uniform sampler2D picture;
uniform sampler2D orm;
uniform sampler2D emissive;
uniform sampler2D team;
uniform vec4 color;
uniform float cutoff;
uniform float gain;
uniform bool physical;
uniform vec4 fog_color;
uniform vec2 fog_range;
uniform int blend;
uniform int channel; // 0: the picture; else one part of what it is made of, see CHANNELS
uniform bool by_pixel; // else light is in the colours
uniform bool bent;
uniform bool normal_in_alpha;
uniform bool two_sided;
uniform sampler2D normals;
uniform sampler2D environment;
uniform float environment_gain;
uniform vec4 rim_color; // its opacity in w
uniform float rim_team;
uniform float blurriest;
uniform vec4 viewer;
uniform vec3 ambient;
uniform vec3 surroundings;
uniform int light_count;
uniform vec4 light_places[8]; // w: 1 where it is near
uniform vec3 light_colors[8];
uniform vec2 light_ranges[8];
in vec3 place;
in vec3 upright;
in vec4 along;
out vec4 result;

// --- physically based surfaces: src/raster/surface.cpp has the same formulae
vec3 unit(vec3 v) {
  float size = length(v);
  return size > 1e-12 ? v / size : vec3(0.0, 1.0, 0.0);
}
vec3 bend(vec3 normal) {
  vec4 texels = texture(normals, texel, LEVEL_BIAS);
  vec2 turn = vec2(normal_in_alpha ? texels.a : texels.r, texels.g) * 2.0 - 1.0;
  vec3 right = unit(along.xyz - normal * dot(normal, along.xyz));
  vec3 up = cross(normal, right) * (along.w < 0.0 ? -1.0 : 1.0);
  return unit(right * turn.x + up * turn.y + normal * sqrt(max(0.0, 1.0 - dot(turn, turn))));
}
vec3 seen(vec3 way, float blur) {
  vec2 at = vec2(atan(way.x, -way.z) / 6.2831853 + 0.5, 0.5 - asin(clamp(way.y, -1.0, 1.0)) / 3.14159265);
  return textureLod(environment, at, blur * blurriest).rgb * environment_gain;
}
vec3 shade(vec3 base, vec3 packed_values) {
  vec3 eye = unit(viewer.xyz - place * viewer.w);
  vec3 normal = unit(upright);
  if (bent) normal = bend(normal);
  if (two_sided && dot(normal, eye) < 0.0) normal = -normal;
  float roughness = max(packed_values.g, 0.06);
  float rim = pow(1.0 - clamp(dot(normal, eye), 0.0, 1.0), 5.0);
  vec3 diffuse = base * (1.0 - packed_values.b);
  vec3 reflected = mix(vec3(0.04), base, packed_values.b);
  vec3 share = reflected + (max(vec3(1.0 - roughness), reflected) - reflected) * rim;
  vec3 mirrored = seen(2.0 * dot(normal, eye) * normal - eye, roughness);
  vec3 sum = (diffuse * ambient * seen(normal, 1.0) + mirrored * surroundings * share) * packed_values.r;
  sum += mix(rim_color.rgb, texture(team, texel, LEVEL_BIAS).rgb, rim_team) * rim_color.a * rim;
  for (int i = 0; i < light_count; i += 1) {
    vec3 way = light_places[i].xyz;
    float arrives = 1.0;
    if (light_places[i].w > 0.0) {
      way -= place;
      float away = length(way);
      vec2 range = light_ranges[i];
      arrives = range.y > range.x ? clamp((range.y - away) / (range.y - range.x), 0.0, 1.0) : away <= range.y ? 1.0 : 0.0;
      way = unit(way);
    }
    float lit = dot(normal, way) * arrives;
    if (lit <= 0.0) continue;
    vec3 halfway = unit(way + eye);
    float to_half = max(dot(normal, halfway), 0.0);
    float of_light = max(dot(way, halfway), 0.0);
    float square = roughness * roughness * roughness * roughness;
    float spread = to_half * to_half * (square - 1.0) + 1.0;
    float spot = min(square / (spread * spread * max(0.1, of_light * of_light) * (4.0 * roughness + 2.0)), 16.0);
    sum += light_colors[i] * lit * (diffuse + reflected * spot);
  }
  return sum;
}
vec3 part(vec4 base, vec4 packed_values) {
  switch (channel) {
    case 1: return base.rgb;
    case 2: return vec3(base.a);
    case 3: return tint.rgb;
    case 4: return vec3(fract(texel), 0.0);
    case 5: return 0.5 + 0.5 * normalize(cross(dFdx(place), dFdy(place)));
    case 6: return vec3(packed_values.r);
    case 7: return vec3(packed_values.g);
    case 8: return vec3(packed_values.b);
    case 9: return vec3(packed_values.a);
    default: return texture(emissive, texel, LEVEL_BIAS).rgb * gain;
  }
}
void main() {
  vec4 base = texture(picture, texel, LEVEL_BIAS);
  vec4 light = tint * color;
  vec4 value = base * light;
  if (physical) {
    vec4 packed_values = texture(orm, texel, LEVEL_BIAS);
    vec3 dyed = mix(base.rgb, texture(team, texel, LEVEL_BIAS).rgb * base.rgb, packed_values.a) * light.rgb;
    vec3 shone = by_pixel ? shade(dyed, packed_values.rgb) : dyed * (0.4 + 0.6 * packed_values.r);
    value.rgb = shone + texture(emissive, texel, LEVEL_BIAS).rgb * gain;
  }
  if (value.a < cutoff) discard;
  if (channel > 0) {
    result = vec4(part(base, physical ? texture(orm, texel, LEVEL_BIAS) : vec4(0.0)), 1.0);
    return;
  }
  value.rgb = min(value.rgb, vec3(1.0));
  if (fog_color.a > 0.0) {
    float fogged = clamp((depth - fog_range.x) / max(fog_range.y - fog_range.x, 1e-6), 0.0, 1.0);
    // What is added or multiplied fades to nothing instead of to the fog's colour.
    vec3 goal = blend == 2 ? vec3(0.0) : blend == 3 ? vec3(1.0) : blend == 4 ? vec3(0.5) : fog_color.rgb;
    value.rgb = mix(value.rgb, goal, fogged);
  }
  result = value;
}`;

const UNIFORMS = [
  'view',
  'projection',
  'uv_matrix',
  'picture',
  'orm',
  'emissive',
  'team',
  'color',
  'cutoff',
  'gain',
  'physical',
  'fog_color',
  'fog_range',
  'blend',
  'channel',
  'by_pixel',
  'bent',
  'normal_in_alpha',
  'two_sided',
  'normals',
  'environment',
  'environment_gain',
  'blurriest',
  'viewer',
  'ambient',
  'surroundings',
  'light_count',
  'light_places',
  'light_colors',
  'light_ranges',
  'rim_color',
  'rim_team',
  'at_rest',
  'lit',
  'sphere_map',
  'matrices',
  'base_matrix',
  'influences',
  'influence_count',
  'most',
];

/** Texture units. */
const UNITS = { picture: 0, orm: 1, emissive: 2, team: 3, normals: 4, environment: 5, matrices: 6, influences: 7 };

/** Attributes of a vertex. */
const POSITION = 0,
  UV = 1,
  COLOR = 2,
  NORMAL = 3,
  TANGENT = 4,
  GROUP = 5;

/** The levels of a picture that are too small to tell directions apart. */
const SMALL_LEVELS = 3;

/** Of what is selected. */
const GLOW = [1, 0.62, 0.1, 0.45];

/** Parts of a picture that can be seen alone, in the order of the shader's numbers. */
export const CHANNELS = [
  'picture',
  'texture',
  'alpha',
  'light and vertex colour',
  'texture coordinates',
  'faces',
  'occlusion',
  'roughness',
  'metal',
  'team colour',
  'glow',
];

/** What the models on one canvas share, as long as its context lives. */
const devices = new WeakMap();

function deviceOf(canvas) {
  const known = devices.get(canvas);
  if (known?.gl.isProgram(known.program)) return known;
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, premultipliedAlpha: false, preserveDrawingBuffer: true });
  if (!gl) throw new Error('this browser has no WebGL2');
  const program = link(gl, VERTEX, FRAGMENT);
  const device = {
    gl,
    program,
    uniform: Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])),
    values: {}, // of the uniforms, as far as they were set
    vertices: gl.createVertexArray(),
    buffers: Object.fromEntries(['positions', 'uvs', 'colors', 'normals', 'tangents', 'indices'].map((name) => [name, gl.createBuffer()])),
    matrices: new List(gl, gl.RGBA32F, gl.RGBA, 4),
    white: upload(gl, { width: 1, height: 1, pixels: new Uint8Array([255, 255, 255, 255]) }),
    // Without occlusion and metal, rather rough, and without team colour, as the rasteriser takes it.
    plain: upload(gl, { width: 1, height: 1, pixels: new Uint8Array([255, 204, 0, 0]) }),
    samplers: [0, 1, 2, 3].map((wrap) => samplerOf(gl, wrap)),
  };
  gl.useProgram(program);
  for (const [name, unit] of Object.entries(UNITS)) gl.uniform1i(device.uniform[name], unit);
  devices.set(canvas, device);
  return device;
}

/** Numbers in a texture, row by row. */
class List {
  constructor(gl, format, layout, width) {
    this.gl = gl;
    this.format = format;
    this.layout = layout;
    this.width = width; // numbers of a texel
    this.rows = 0;
    this.values = new Float32Array(0); // that are there
    this.padded = null;
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }

  /** Sends the numbers, unless they are there; returns whether it did. */
  fill(values) {
    if (values.length === this.values.length && values.every((value, i) => value === this.values[i])) return false;
    const { gl } = this;
    const each = ROW * this.width;
    const rows = Math.max(1, Math.ceil(values.length / each));
    if (this.padded?.length !== rows * each) this.padded = new Float32Array(rows * each);
    this.padded.set(values);
    this.values = this.padded.subarray(0, values.length);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (rows > this.rows) {
      gl.texImage2D(gl.TEXTURE_2D, 0, this.format, ROW, rows, 0, this.layout, gl.FLOAT, this.padded);
    } else {
      const texels = rows > 1 ? ROW : Math.ceil(values.length / this.width);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, texels, rows, this.layout, gl.FLOAT, this.padded.subarray(0, texels * rows * this.width));
    }
    this.rows = Math.max(this.rows, rows);
    return true;
  }

  free() {
    this.gl.deleteTexture(this.texture);
  }
}

/** The vertices of a mesh, which stay on the card as long as its model is shown. */
class Mesh {
  /** @param data as Model.restMesh gives it; its large arrays go to the card in tasks of their own */
  static async of(gl, data) {
    const mesh = new Mesh(gl, data);
    const { influences } = data;
    for (const name of ['positions', 'colors', 'normals', 'tangents', 'groups'])
      mesh[name] = await mesh.#buffer(gl.ARRAY_BUFFER, data[name]);
    for (const uvs of data.uvSets) mesh.uvSets.push(await mesh.#buffer(gl.ARRAY_BUFFER, uvs));
    mesh.indices = await mesh.#buffer(gl.ELEMENT_ARRAY_BUFFER, data.indices);
    if (influences) {
      mesh.influences = new List(gl, gl.RG32F, gl.RG, 2);
      mesh.influences.fill(influences);
      mesh.influences.padded = mesh.influences.values = null; // nobody compares them
      mesh.bytes += influences.byteLength;
    }
    return mesh;
  }

  constructor(gl, { influenceCount, boxes }) {
    this.gl = gl;
    this.bytes = 0; // on the card
    this.influenceCount = influenceCount;
    this.boxes = boxes;
    this.arrays = new Map(); // by set of coordinates and whether colours are taken
    this.positions = this.colors = this.normals = this.tangents = this.groups = this.indices = this.influences = null;
    this.uvSets = [];
  }

  async #buffer(target, data) {
    if (!data) return null;
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindVertexArray(null);
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, data, gl.STATIC_DRAW);
    this.bytes += data.byteLength;
    if (data.byteLength >= WORTH_A_TASK) {
      await new Promise((next) => {
        setTimeout(next);
      });
    }
    return buffer;
  }

  /** How a draw takes the vertices. */
  arrayFor({ uvSet, baseColor }) {
    const key = `${uvSet} ${baseColor === null}`;
    if (!this.arrays.has(key)) this.arrays.set(key, this.#array(this.uvSets[uvSet], baseColor === null ? null : this.colors));
    return this.arrays.get(key);
  }

  #array(uvs, colors) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const [location, buffer, size] of [
      [POSITION, this.positions, 3],
      [UV, uvs, 2],
      [COLOR, colors, 4],
      [NORMAL, this.normals, 3],
      [TANGENT, this.tangents, 4],
    ]) {
      if (!buffer) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    }
    if (this.groups) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.groups);
      gl.enableVertexAttribArray(GROUP);
      gl.vertexAttribIPointer(GROUP, 1, gl.UNSIGNED_INT, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    return array;
  }

  free() {
    const { gl } = this;
    for (const array of this.arrays.values()) gl.deleteVertexArray(array);
    const { positions, colors, normals, tangents, groups, uvSets, indices } = this;
    for (const buffer of [positions, colors, normals, tangents, groups, ...uvSets, indices]) gl.deleteBuffer(buffer);
    this.influences?.free();
  }
}

/** What one model has on the card, and how its frames are drawn. Several may draw on one canvas, one after the other. */
export class Backend {
  constructor(canvas) {
    this.canvas = canvas;
    this.device = deviceOf(canvas);
    this.gl = this.device.gl;
    this.textures = [];
    this.levels = [];
    this.meshes = [];
    this.sent = 0; // bytes of vertices and matrices that the last picture took
    this.skipped = 0; // its draws that are outside of the picture
  }

  /** The pictures and meshes that the draws of a model refer to, one after the other brought to the card; for `take` or `free`. */
  async load(model) {
    const { gl } = this;
    const loaded = { backend: this, textures: [], levels: [], meshes: [] };
    for (let i = 0; i < model.imageCount; i += 1) {
      const image = await model.image(i);
      loaded.textures.push(upload(gl, image));
      loaded.levels.push(Math.floor(Math.log2(Math.max(image.width, image.height, 1))) + 1);
    }
    for (let i = 0; i < model.restMeshCount; i += 1) loaded.meshes.push(await Mesh.of(gl, await model.restMesh(i)));
    return loaded;
  }

  /** Frees the current textures and meshes and uses the loaded ones; null: none. */
  take(loaded) {
    this.free(this);
    const { textures, levels, meshes } = loaded ?? { textures: [], levels: [], meshes: [] };
    Object.assign(this, { textures, levels, meshes });
  }

  free({ textures, meshes }) {
    for (const texture of textures) this.gl.deleteTexture(texture);
    for (const mesh of meshes) mesh.free();
  }

  /** @param background RGBA, 0 to 1; @param channel a number of CHANNELS; @param selected the number of a mesh that glows */
  draw(frame, background, channel = 0, selected = null) {
    const { gl, device } = this;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.clearColor(...background);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(device.program);
    this.bound = [];
    this.state = {};
    this.#send(frame);
    this.#floats('view', 'uniformMatrix4fv', frame.view);
    this.#floats('projection', 'uniformMatrix4fv', frame.projection);
    this.#illuminate(frame.illumination);
    gl.vertexAttribI4ui(GROUP, 0, 0, 0, 0);
    gl.vertexAttrib4f(NORMAL, 0, 0, 0, 0);
    gl.vertexAttrib4f(TANGENT, 0, 0, 0, 0);
    gl.vertexAttrib4f(UV, 0, 0, 0, 1);
    const planes = planesOf(frame.view, frame.projection);
    this.skipped = 0;
    for (const draw of frame.draws) {
      if (draw.restMesh !== null && isOutside(this.meshes[draw.restMesh].boxes, frame.matrices, draw.baseMatrix, planes)) this.skipped += 1;
      else this.#call(draw, frame.fog, draw.topology === 0 ? channel : 0);
    }
    if (selected !== null) this.#glow(frame, selected);
    gl.bindVertexArray(null);
  }

  /** What is not at rest, and the matrices of what is. */
  #send(frame) {
    const { gl, device } = this;
    this.sent = 0;
    gl.bindVertexArray(device.vertices);
    if (frame.indices.length > 0) {
      for (const name of ['positions', 'uvs', 'colors', 'normals', 'tangents'])
        this.#fill(gl.ARRAY_BUFFER, device.buffers[name], frame[name]);
      this.#fill(gl.ELEMENT_ARRAY_BUFFER, device.buffers.indices, frame.indices);
    }
    gl.activeTexture(gl.TEXTURE0 + UNITS.matrices);
    if (device.matrices.fill(frame.matrices)) this.sent += frame.matrices.byteLength;
    gl.bindTexture(gl.TEXTURE_2D, device.matrices.texture);
    gl.bindSampler(UNITS.matrices, null);
    gl.bindSampler(UNITS.influences, null);
  }

  #fill(target, buffer, data) {
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, data, this.gl.STREAM_DRAW);
    this.sent += data.byteLength;
  }

  /** Lays a colour over what is seen of a mesh. */
  #glow(frame, mesh) {
    const none = { image: null, wrapU: false, wrapV: false };
    for (const draw of frame.draws) {
      if (!draw.ownMesh || draw.object !== mesh || draw.layer !== 0) continue;
      this.#call(
        {
          ...draw,
          color: GLOW,
          texture: none,
          baseColor: null,
          bareColor: 1,
          lit: false,
          baseNormal: null,
          physicallyBased: false,
          alphaCutoff: 0,
          fogged: false,
          blend: 1,
          depthWrite: false,
        },
        frame.fog,
        0,
      );
    }
  }

  #illuminate({ viewer, ambient, surroundings, most, lights }) {
    this.#floats('viewer', 'uniform4fv', viewer);
    this.#floats('ambient', 'uniform3fv', ambient);
    this.#floats('surroundings', 'uniform3fv', surroundings);
    this.#float('most', most);
    this.#int('light_count', lights.length);
    if (lights.length === 0) return;
    this.#floats(
      'light_places',
      'uniform4fv',
      lights.flatMap(({ place, near }) => [...place, near]),
    );
    this.#floats(
      'light_colors',
      'uniform3fv',
      lights.flatMap(({ color }) => [...color]),
    );
    this.#floats(
      'light_ranges',
      'uniform2fv',
      lights.flatMap(({ range }) => [...range]),
    );
  }

  // --- uniforms, set where they change

  #int(name, value) {
    const { values, uniform } = this.device;
    if (values[name] === value) return;
    values[name] = value;
    this.gl.uniform1i(uniform[name], value);
  }

  #float(name, value) {
    const { values, uniform } = this.device;
    if (values[name] === value) return;
    values[name] = value;
    this.gl.uniform1f(uniform[name], value);
  }

  #floats(name, method, list) {
    const { values, uniform } = this.device;
    if (isSame(values[name], list)) return;
    values[name] = Array.from(list);
    if (method.startsWith('uniformMatrix')) this.gl[method](uniform[name], false, list);
    else this.gl[method](uniform[name], list);
  }

  // --- one call

  #call(draw, fog, channel) {
    const { gl } = this;
    if (draw.restMesh === null) this.#bindStreams(draw);
    else this.#bindMesh(draw);
    this.#int('at_rest', draw.restMesh === null ? 0 : 1);
    this.#int('lit', draw.lit ? 1 : 0);
    this.#int('sphere_map', draw.sphereMap ? 1 : 0);
    this.#bind(UNITS.picture, draw.texture);
    this.#int('physical', draw.physicallyBased ? 1 : 0);
    if (draw.physicallyBased) this.#bindPhysical(draw);
    const m = draw.uvMatrix;
    this.#floats('uv_matrix', 'uniformMatrix3x2fv', [m[0], m[2], m[1], m[3], m[4], m[5]]);
    this.#floats('color', 'uniform4fv', draw.color);
    this.#float('cutoff', draw.alphaCutoff);
    this.#int('blend', draw.blend);
    this.#floats('fog_color', 'uniform4fv', [...fog.color, draw.fogged && fog.enabled ? 1 : 0]);
    this.#floats('fog_range', 'uniform2fv', [fog.start, fog.end]);
    this.#int('channel', channel);
    this.#setState(draw, channel === 0 ? draw.blend : 0);
    gl.drawElements([gl.TRIANGLES, gl.LINES, gl.POINTS][draw.topology], draw.indexCount, gl.UNSIGNED_INT, draw.firstIndex * 4);
  }

  #bindPhysical(draw) {
    this.#bind(UNITS.orm, draw.orm, this.device.plain);
    this.#bind(UNITS.emissive, draw.emissive);
    this.#bind(UNITS.team, draw.teamColor);
    this.#bind(UNITS.normals, draw.normal);
    this.#bind(UNITS.environment, draw.environment);
    this.#float('gain', draw.emissive.image === null ? 0 : draw.emissiveGain);
    this.#int('by_pixel', draw.baseNormal === null ? 0 : 1);
    this.#int('bent', draw.baseTangent === null || draw.normal.image === null ? 0 : 1);
    this.#int('normal_in_alpha', draw.normalInAlpha ? 1 : 0);
    this.#int('two_sided', draw.twoSided ? 1 : 0);
    this.#float('environment_gain', draw.environmentGain);
    this.#floats('rim_color', 'uniform4fv', draw.rim);
    this.#float('rim_team', draw.rimTeam);
    this.#float('blurriest', Math.max((this.levels[draw.environment.image] ?? 0) - SMALL_LEVELS, 0));
  }

  #bindMesh(draw) {
    const { gl } = this;
    const mesh = this.meshes[draw.restMesh];
    gl.bindVertexArray(mesh.arrayFor(draw));
    if (!mesh.colors || draw.baseColor === null) gl.vertexAttrib4f(COLOR, draw.bareColor, draw.bareColor, draw.bareColor, 1);
    this.#int('base_matrix', draw.baseMatrix);
    this.#int('influence_count', mesh.influenceCount);
    if (!mesh.influences || this.bound[UNITS.influences] === mesh.influences.texture) return;
    gl.activeTexture(gl.TEXTURE0 + UNITS.influences);
    gl.bindTexture(gl.TEXTURE_2D, mesh.influences.texture);
    this.bound[UNITS.influences] = mesh.influences.texture;
  }

  #bindStreams(draw) {
    const { gl } = this;
    const { vertices, buffers } = this.device;
    gl.bindVertexArray(vertices);
    this.#attribute(POSITION, buffers.positions, draw.basePosition, 3, gl.FLOAT, false, 12);
    this.#attribute(UV, buffers.uvs, draw.baseUv, 2, gl.FLOAT, false, 8);
    if (draw.baseColor === null) gl.vertexAttrib4f(COLOR, 1, 1, 1, 1);
    this.#attribute(COLOR, buffers.colors, draw.baseColor, 4, gl.UNSIGNED_BYTE, true, 4);
    this.#attribute(NORMAL, buffers.normals, draw.baseNormal, 3, gl.FLOAT, false, 12);
    this.#attribute(TANGENT, buffers.tangents, draw.baseTangent, 4, gl.FLOAT, false, 16);
  }

  #attribute(location, buffer, base, size, type, normalized, stride) {
    const { gl } = this;
    if (base === null) {
      gl.disableVertexAttribArray(location);
      return;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalized, stride, base * stride);
  }

  #setState({ depthTest, depthWrite, twoSided }, blend) {
    const { gl, state } = this;
    const key = (depthTest ? 1 : 0) | (depthWrite ? 2 : 0) | (twoSided ? 4 : 0) | (blend << 3);
    if (state.key === key) return;
    state.key = key;
    set(gl, gl.DEPTH_TEST, depthTest || depthWrite);
    gl.depthFunc(depthTest ? gl.LEQUAL : gl.ALWAYS);
    gl.depthMask(depthWrite);
    set(gl, gl.CULL_FACE, !twoSided);
    set(gl, gl.BLEND, blend !== 0);
    // Colour by the mode; alpha so that a transparent background stays one where nothing was drawn.
    switch (blend) {
      case 1:
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        break;
      case 2:
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE, gl.ZERO, gl.ONE);
        break;
      case 3:
        gl.blendFuncSeparate(gl.DST_COLOR, gl.ZERO, gl.ZERO, gl.ONE);
        break;
      case 4:
        gl.blendFuncSeparate(gl.DST_COLOR, gl.SRC_COLOR, gl.ZERO, gl.ONE);
        break;
      default:
        break;
    }
  }

  /** @param otherwise what there is without a picture */
  #bind(unit, sampler, otherwise = this.device.white) {
    const { gl } = this;
    const wrap = (sampler.wrapU ? 1 : 0) | (sampler.wrapV ? 2 : 0);
    const texture = sampler.image === null ? otherwise : (this.textures[sampler.image] ?? otherwise);
    if (this.bound[unit]?.texture === texture && this.bound[unit].wrap === wrap) return;
    this.bound[unit] = { texture, wrap };
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.bindSampler(unit, this.device.samplers[wrap]);
  }
}

function isSame(known, list) {
  if (!known || known.length !== list.length) return false;
  for (let i = 0; i < list.length; i += 1) if (known[i] !== list[i]) return false;
  return true;
}

function upload(gl, { width, height, pixels }) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels.length > 0 ? pixels : null);
  gl.generateMipmap(gl.TEXTURE_2D);
  return texture;
}

function samplerOf(gl, wrap) {
  const sampler = gl.createSampler();
  gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, wrap & 1 ? gl.REPEAT : gl.CLAMP_TO_EDGE);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_T, wrap & 2 ? gl.REPEAT : gl.CLAMP_TO_EDGE);
  return sampler;
}

function set(gl, capability, on) {
  if (on) gl.enable(capability);
  else gl.disable(capability);
}

function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}
