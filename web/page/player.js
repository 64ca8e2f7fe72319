// Clips and time: which clip plays, where it is, and what comes at its end.

import { at, element } from './panels.js';
import { Timeline } from './timeline.js';

export class Player {
  /** @param changed is called when another moment is to be shown */
  constructor(changed) {
    this.changed = changed;
    this.clips = [];
    this.clip = -1; // the rest pose
    this.time = 0; // seconds into the clip
    this.clock = 0; // seconds of what moves beside all clips
    this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    at('play').onclick = () => this.setPlaying(!this.playing);
    at('clip').onchange = (event) => this.setClip(Number(event.target.value));
    at('scrub').oninput = (event) => {
      this.setPlaying(false);
      this.setTime(Number(event.target.value) * this.duration);
    };
    this.timeline = new Timeline(this);
    this.setPlaying(this.playing);
  }

  /** Takes the clips of a scene and begins with its default one. */
  list({ clips, defaultClip }) {
    this.clips = clips;
    this.timeline.all = [];
    at('clip').replaceChildren(
      element('option', { value: -1 }, 'rest'),
      ...clips.flatMap((clip, i) => (clip.global ? [] : [element('option', { value: i }, clip.name || `clip ${i}`)])),
    );
    this.setClip(defaultClip ?? -1);
  }

  /** Takes the clips of the same file, otherwise opened; the chosen one goes on, if it is still there. */
  listAgain(scene) {
    const { clip, time } = this;
    this.list(scene);
    if (!at('clip').querySelector(`option[value="${clip}"]`)) return;
    this.setClip(clip);
    this.setTime(time);
  }

  setClip(index) {
    this.clip = index;
    this.time = 0;
    at('clip').value = index;
    this.timeline.refresh();
    this.changed();
  }

  get duration() {
    return this.clips[this.clip]?.duration ?? 0;
  }

  setTime(seconds) {
    this.time = Math.min(Math.max(0, seconds), this.duration);
    this.changed();
  }

  /** @param frames sixtieths of a second */
  step(frames) {
    this.setPlaying(false);
    this.setTime(this.time + frames / 60);
  }

  setPlaying(on) {
    if (on && this.duration > 0 && !this.loops && this.time >= this.duration) this.time = 0; // again from its start
    this.playing = on;
    at('play').textContent = on ? 'Pause' : 'Play';
    this.changed();
  }

  get loops() {
    const how = at('loop').value;
    return how === 'always' || (how === 'file' && (this.clips[this.clip]?.looping ?? false));
  }

  get moment() {
    return { clip: this.clip, time: this.time, clock: this.clock };
  }

  /** The moment in the clip of the same name among others. */
  momentAmong(clips) {
    const { name } = this.clips[this.clip] ?? {};
    return { ...this.moment, clip: name ? clips.findIndex((clip) => clip.name === name) : -1 };
  }

  /** @param seconds that have passed since the last picture */
  advance(seconds) {
    const passed = seconds * Number(at('speed').value);
    this.clock += passed;
    if (this.duration <= 0) return;
    const next = this.time + passed;
    if (next < this.duration || this.loops) {
      this.time = next % this.duration;
    } else if (at('loop').value === 'turn') {
      this.#nextClip();
    } else {
      this.time = this.duration;
      this.setPlaying(false);
    }
  }

  /** All clips in turn, without the rest pose. */
  #nextClip() {
    const clips = [...at('clip').options].map(({ value }) => Number(value)).filter((clip) => clip >= 0);
    this.setClip(clips[(clips.indexOf(this.clip) + 1) % clips.length]);
  }

  tellTime() {
    at('scrub').value = this.duration > 0 ? this.time / this.duration : 0;
    at('time').textContent = `${this.time.toFixed(3)} of ${this.duration.toFixed(3)} s`;
  }
}
