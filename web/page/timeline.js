// The timeline below the stage: marks of a clip's events on the slider, and a strip of all clips under it.

import { at, element } from './panels.js';

/** Pixels from a mark within which the pointer means it, and that the slider's thumb takes from each end. */
const NEAR = 6;
const INSET = 8;

const seconds = (time) => `${time.toFixed(3)} s`;

export class Timeline {
  /** @param player {import('./player.js').Player} */
  constructor(player) {
    this.player = player;
    this.all = []; // of each clip its events: {name, time}
    this.place = at('timeline');
    this.tip = at('moment');
    this.place.addEventListener('pointermove', (event) => this.#point(event));
    this.place.addEventListener('pointerleave', () => (this.tip.hidden = true));
    // The slider has gone to where the click was; what is meant is the mark.
    at('scrub').addEventListener('change', () => {
      const mark = this.#near(this.player.time, NEAR / this.#width);
      if (mark && this.pointed) this.player.setTime(mark.time);
    });
  }

  get #width() {
    return Math.max(1, at('scrub').clientWidth - 2 * INSET);
  }

  get events() {
    return this.all[this.player.clip] ?? [];
  }

  /** The event nearest to a time of the clip, at most a share of its length away. */
  #near(time, share) {
    const { duration } = this.player;
    const far = ({ time: of }) => Math.abs(of - time);
    const nearest = this.events.reduce((best, event) => (!best || far(event) < far(best) ? event : best), null);
    return nearest && far(nearest) <= share * duration ? nearest : null;
  }

  setEvents(all) {
    this.all = all;
    this.refresh();
  }

  /** Marks of the clip that plays, and the strip of those that there are. */
  refresh() {
    const { clips, clip, duration } = this.player;
    at('marks').replaceChildren(
      ...(duration > 0 ? this.events : []).map(({ time }) => element('i', { style: `left:${(time / duration) * 100}%` })),
    );
    const all = clips.flatMap((each, i) => (each.global || each.duration <= 0 ? [] : [[each, i]]));
    // By the root of its duration: a decay of a minute leaves room for a walk of a second.
    at('strip').replaceChildren(
      ...all.map(([each, i]) =>
        element('i', {
          'data-clip': i,
          class: i === clip ? 'chosen' : '',
          style: `flex-grow:${Math.sqrt(each.duration)}`,
          onclick: () => this.player.setClip(i),
        }),
      ),
    );
    at('strip').hidden = all.length < 2;
  }

  #point({ clientX, target }) {
    const { left } = at('scrub').getBoundingClientRect();
    const { clips, duration } = this.player;
    const named = clips[target.dataset.clip];
    const time = Math.min(1, Math.max(0, (clientX - left - INSET) / this.#width)) * duration;
    const mark = this.#near(time, NEAR / this.#width);
    this.pointed = Boolean(mark && !named);
    this.tip.hidden = !named && duration === 0;
    this.tip.textContent = named
      ? `${named.name} · ${seconds(named.duration)}`
      : mark
        ? `${mark.name} · ${seconds(mark.time)}`
        : seconds(time);
    const room = this.place.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(room, clientX - left - this.tip.offsetWidth / 2))}px`;
  }

  /** Goes to the next event, or with −1 to the one before. */
  step(by) {
    const { player } = this;
    const from = player.time;
    const others = this.events.filter(({ time }) => (time - from) * by > 1e-4);
    const event = by > 0 ? others[0] : others.at(-1);
    if (!event) return null;
    player.setPlaying(false);
    player.setTime(event.time);
    return event;
  }
}
