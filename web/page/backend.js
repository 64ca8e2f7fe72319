// Draws frames with WebGL2. It knows draws, states and pictures, and no format: all meaning is settled by the
// evaluator, and the built-in rasteriser draws the same list. Where the two agree, and how closely, is tested.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
layout(location = 3) in vec3 normal;
layout(location = 4) in vec4 tangent;
uniform mat4 view;
uniform mat4 projection;
uniform mat3x2 uv_matrix;
out vec2 texel;
out vec4 tint;
out float depth;
out vec3 place;
out vec3 upright;
out vec4 along;
void main() {
  place = position;
  upright = normal;
  along = tangent;
  vec4 seen = view * vec4(position, 1.0);
  gl_Position = projection * seen;
  gl_PointSize = 3.0;
  texel = uv_matrix * vec3(uv, 1.0);
  tint = color;
  depth = -seen.z;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
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
  vec4 texels = texture(normals, texel);
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
  sum += mix(rim_color.rgb, texture(team, texel).rgb, rim_team) * rim_color.a * rim;
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
    default: return texture(emissive, texel).rgb * gain;
  }
}
void main() {
  vec4 base = texture(picture, texel);
  vec4 light = tint * color;
  vec4 value = base * light;
  if (physical) {
    vec4 packed_values = texture(orm, texel);
    vec3 dyed = mix(base.rgb, texture(team, texel).rgb * base.rgb, packed_values.a) * light.rgb;
    vec3 shone = by_pixel ? shade(dyed, packed_values.rgb) : dyed * (0.4 + 0.6 * packed_values.r);
    value.rgb = shone + texture(emissive, texel).rgb * gain;
  }
  if (value.a < cutoff) discard;
  if (channel > 0) {
    result = vec4(part(base, physical ? texture(orm, texel) : vec4(0.0)), 1.0);
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

const UNIFORMS = ['view', 'projection', 'uv_matrix', 'picture', 'orm', 'emissive', 'team', 'color', 'cutoff',
  'gain', 'physical', 'fog_color', 'fog_range', 'blend', 'channel', 'by_pixel', 'bent', 'normal_in_alpha', 'two_sided',
  'normals', 'environment', 'environment_gain', 'blurriest', 'viewer', 'ambient', 'surroundings', 'light_count',
  'light_places', 'light_colors', 'light_ranges', 'rim_color', 'rim_team'];

/** The levels of a picture that are too small to tell directions apart. */
const SMALL_LEVELS = 3;

/** Of what is selected. */
const GLOW = [1, 0.62, 0.1, 0.45];

/** Parts of a picture that can be seen alone, in the order of the shader's numbers. */
export const CHANNELS = ['picture', 'texture', 'alpha', 'light and vertex colour', 'texture coordinates', 'faces',
  'occlusion', 'roughness', 'metal', 'team colour', 'glow'];

/** What the models on one canvas share, as long as its context lives. */
const devices = new WeakMap();

function deviceOf(canvas) {
  const known = devices.get(canvas);
  if (known?.gl.isProgram(known.program)) return known;
  const gl = canvas.getContext('webgl2', {
    alpha: true, antialias: true, premultipliedAlpha: false, preserveDrawingBuffer: true });
  if (!gl) throw new Error('this browser has no WebGL2');
  const program = link(gl, VERTEX, FRAGMENT);
  const device = {
    gl,
    program,
    uniform: Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])),
    vertices: gl.createVertexArray(),
    buffers: Object.fromEntries(['positions', 'uvs', 'colors', 'normals', 'tangents', 'indices'].map((name) => [name, gl.createBuffer()])),
    white: upload(gl, { width: 1, height: 1, pixels: new Uint8Array([255, 255, 255, 255]) }),
    // Without occlusion and metal, rather rough, and without team colour, as the rasteriser takes it.
    plain: upload(gl, { width: 1, height: 1, pixels: new Uint8Array([255, 204, 0, 0]) }),
    samplers: [0, 1, 2, 3].map((wrap) => samplerOf(gl, wrap)),
  };
  devices.set(canvas, device);
  return device;
}

/** The pictures of one model, and how its frames are drawn. Several may draw on one canvas, one after the other. */
export class Backend {
  constructor(canvas) {
    this.canvas = canvas;
    Object.assign(this, deviceOf(canvas));
    this.textures = [];
  }

  /** The pictures that the draws of one model refer to; none frees what they take. */
  setImages(count, image) {
    for (const texture of this.textures) this.gl.deleteTexture(texture);
    this.levels = [];
    this.textures = Array.from({ length: count }, (_, i) => {
      const picture = image(i);
      this.levels.push(Math.floor(Math.log2(Math.max(picture.width, picture.height, 1))) + 1);
      return upload(this.gl, picture);
    });
  }

  /** @param background RGBA, 0 to 1; @param channel a number of CHANNELS; @param selected the number of a mesh that glows */
  draw(frame, background, channel = 0, selected = null) {
    const { gl } = this;
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.clearColor(...background);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.bindVertexArray(this.vertices);
    this.#fill(gl.ARRAY_BUFFER, this.buffers.positions, frame.positions);
    this.#fill(gl.ARRAY_BUFFER, this.buffers.uvs, frame.uvs);
    this.#fill(gl.ARRAY_BUFFER, this.buffers.colors, frame.colors);
    this.#fill(gl.ARRAY_BUFFER, this.buffers.normals, frame.normals);
    this.#fill(gl.ARRAY_BUFFER, this.buffers.tangents, frame.tangents);
    this.#fill(gl.ELEMENT_ARRAY_BUFFER, this.buffers.indices, frame.indices);
    gl.uniformMatrix4fv(this.uniform.view, false, frame.view);
    gl.uniformMatrix4fv(this.uniform.projection, false, frame.projection);
    gl.uniform1i(this.uniform.picture, 0);
    gl.uniform1i(this.uniform.orm, 1);
    gl.uniform1i(this.uniform.emissive, 2);
    gl.uniform1i(this.uniform.team, 3);
    gl.uniform1i(this.uniform.normals, 4);
    gl.uniform1i(this.uniform.environment, 5);
    this.#illuminate(frame.illumination);
    for (const draw of frame.draws) this.#call(draw, frame.fog, draw.topology === 0 ? channel : 0);
    if (selected !== null) this.#glow(frame, selected);
    gl.bindVertexArray(null);
  }

  /** Lays a colour over what is seen of a mesh. */
  #glow(frame, mesh) {
    const none = { image: null, wrapU: false, wrapV: false };
    for (const draw of frame.draws) {
      if (!draw.ownMesh || draw.object !== mesh || draw.layer !== 0) continue;
      this.#call({ ...draw, color: GLOW, texture: none, baseColor: null, baseNormal: null, physicallyBased: false, alphaCutoff: 0, fogged: false, blend: 1, depthWrite: false }, frame.fog, 0);
    }
  }

  #illuminate({ viewer, ambient, surroundings, lights }) {
    const { gl, uniform } = this;
    gl.uniform4fv(uniform.viewer, viewer);
    gl.uniform3fv(uniform.ambient, ambient);
    gl.uniform3fv(uniform.surroundings, surroundings);
    gl.uniform1i(uniform.light_count, lights.length);
    if (lights.length === 0) return;
    gl.uniform4fv(uniform.light_places, lights.flatMap(({ place, near }) => [...place, near]));
    gl.uniform3fv(uniform.light_colors, lights.flatMap(({ color }) => [...color]));
    gl.uniform2fv(uniform.light_ranges, lights.flatMap(({ range }) => [...range]));
  }

  #call(draw, fog, channel) {
    const { gl, uniform } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.positions);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, draw.basePosition * 12);
    this.#attribute(1, this.buffers.uvs, draw.baseUv, 2, gl.FLOAT, false, 8, [0, 0, 0, 1]);
    this.#attribute(2, this.buffers.colors, draw.baseColor, 4, gl.UNSIGNED_BYTE, true, 4, [1, 1, 1, 1]);
    this.#bind(0, draw.texture);
    gl.uniform1i(uniform.physical, draw.physicallyBased ? 1 : 0);
    if (draw.physicallyBased) {
      this.#bind(1, draw.orm, this.plain);
      this.#bind(2, draw.emissive);
      this.#bind(3, draw.teamColor);
      this.#bind(4, draw.normal);
      this.#bind(5, draw.environment);
    }
    this.#attribute(3, this.buffers.normals, draw.baseNormal, 3, gl.FLOAT, false, 12, [0, 0, 0, 0]);
    this.#attribute(4, this.buffers.tangents, draw.baseTangent, 4, gl.FLOAT, false, 16, [0, 0, 0, 0]);
    gl.uniform1i(uniform.by_pixel, draw.baseNormal === null ? 0 : 1);
    gl.uniform1i(uniform.bent, draw.baseTangent === null || draw.normal.image === null ? 0 : 1);
    gl.uniform1i(uniform.normal_in_alpha, draw.normalInAlpha ? 1 : 0);
    gl.uniform1i(uniform.two_sided, draw.twoSided ? 1 : 0);
    gl.uniform1f(uniform.environment_gain, draw.environmentGain);
    gl.uniform4fv(uniform.rim_color, draw.rim);
    gl.uniform1f(uniform.rim_team, draw.rimTeam);
    gl.uniform1f(uniform.blurriest, Math.max((this.levels?.[draw.environment.image] ?? 0) - SMALL_LEVELS, 0));
    const m = draw.uvMatrix;
    gl.uniformMatrix3x2fv(uniform.uv_matrix, false, [m[0], m[2], m[1], m[3], m[4], m[5]]);
    gl.uniform4fv(uniform.color, draw.color);
    gl.uniform1f(uniform.cutoff, draw.alphaCutoff);
    gl.uniform1f(uniform.gain, draw.emissive.image === null ? 0 : draw.emissiveGain);
    gl.uniform1i(uniform.blend, draw.blend);
    const fogged = draw.fogged && fog.enabled;
    gl.uniform4f(uniform.fog_color, ...fog.color, fogged ? 1 : 0);
    gl.uniform2f(uniform.fog_range, fog.start, fog.end);
    gl.uniform1i(uniform.channel, channel);
    this.#state(channel === 0 ? draw : { ...draw, blend: 0 });
    gl.drawElements([gl.TRIANGLES, gl.LINES, gl.POINTS][draw.topology], draw.indexCount, gl.UNSIGNED_INT, draw.firstIndex * 4);
  }

  #state(draw) {
    const { gl } = this;
    set(gl, gl.DEPTH_TEST, draw.depthTest || draw.depthWrite);
    gl.depthFunc(draw.depthTest ? gl.LEQUAL : gl.ALWAYS);
    gl.depthMask(draw.depthWrite);
    set(gl, gl.CULL_FACE, !draw.twoSided);
    set(gl, gl.BLEND, draw.blend !== 0);
    // Colour by the mode; alpha so that a transparent background stays one where nothing was drawn.
    switch (draw.blend) {
      case 1: gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA); break;
      case 2: gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE, gl.ZERO, gl.ONE); break;
      case 3: gl.blendFuncSeparate(gl.DST_COLOR, gl.ZERO, gl.ZERO, gl.ONE); break;
      case 4: gl.blendFuncSeparate(gl.DST_COLOR, gl.SRC_COLOR, gl.ZERO, gl.ONE); break;
      default: break;
    }
  }

  #attribute(location, buffer, base, size, type, normalized, stride, fallback) {
    const { gl } = this;
    if (base === null) {
      gl.disableVertexAttribArray(location);
      gl.vertexAttrib4fv(location, fallback);
      return;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalized, stride, base * stride);
  }

  /** @param otherwise what there is without a picture */
  #bind(unit, sampler, otherwise = this.white) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, sampler.image === null ? otherwise : this.textures[sampler.image] ?? otherwise);
    gl.bindSampler(unit, this.samplers[(sampler.wrapU ? 1 : 0) | (sampler.wrapV ? 2 : 0)]);
  }

  #fill(target, buffer, data) {
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, data, this.gl.STREAM_DRAW);
  }
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
  if (on) gl.enable(capability); else gl.disable(capability);
}

function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
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
