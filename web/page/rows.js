// Long lists: what is in sight is in the page, and what was scrolled to.

import { element } from './panels.js';

/** Rows beyond the edges of what is in sight. */
const SPARE = 12;

/** Items that a growing list takes at once. */
const BATCH = 150;

/**
 * Rows of one height, of which those in sight exist. `scroller` scrolls them and may hold something above them; `fill` of the
 * list is to be called once it is in the page, and whenever it is scrolled.
 * @param ready is called with the range of rows that are about to be made; those of which it gives a promise come after it
 * @param make gives the element of a row
 */
export function virtualRows(
  scroller,
  {
    tag = 'ul',
    attributes = /** @type {Record<string, any>} */ ({}),
    height,
    count,
    ready = /** @type {(from: number, to: number) => Promise<any>|null} */ (() => null),
    make,
  },
) {
  const made = new Map();
  const list = element(tag, { ...attributes, class: `rows ${attributes.class ?? ''}`, style: `height:${count * height}px` });
  const fill = () => {
    const above = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    const from = Math.max(0, Math.floor(-above / height) - SPARE);
    const to = Math.min(count, Math.ceil((scroller.clientHeight - above) / height) + SPARE);
    for (const [index, row] of made) {
      if ((index < from || index >= to) && !row.contains(document.activeElement)) {
        row.remove();
        made.delete(index);
      }
    }
    const waits = ready(from, to);
    if (waits) {
      waits.then(() => list.isConnected && fill());
      return waits;
    }
    let last = null; // in the page they stand in their order, for those who go from one to the next
    for (let index = from; index < to; index += 1) {
      let row = made.get(index);
      if (!row) {
        row = make(index);
        row.style.top = `${index * height}px`;
        if (tag === 'ul') row.ariaPosInSet = index + 1;
        if (tag === 'ul') row.ariaSetSize = count;
        made.set(index, row);
        if (last) last.after(row);
        else list.prepend(row);
      }
      last = row;
    }
    return null;
  };
  list.fill = fill;
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = [...made].find(([, row]) => row.contains(document.activeElement));
    if (!step || !here || event.target.matches('input')) return;
    const next = made.get(here[0] + step)?.querySelector('button, input');
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  /** Scrolls to a row, and gives it. */
  list.show = async (index) => {
    scroller.scrollTop +=
      list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + (index + 0.5) * height - scroller.clientHeight / 2;
    await fill();
    return made.get(index);
  };
  return list;
}

/** A list of any items that becomes longer as one scrolls. */
export function growingList(attributes, items, make) {
  const end = element('li', { 'aria-hidden': 'true' });
  const list = element('ul', { ...attributes, class: `plain ${attributes.class ?? ''}` });
  let taken = 0;
  const grow = () => {
    const batch = items.slice(taken, taken + BATCH).map(make);
    taken += batch.length;
    list.append(...batch);
    if (taken < items.length) list.append(end);
    else end.remove();
  };
  new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && grow(), { rootMargin: '600px' }).observe(
    end,
  );
  grow();
  return list;
}
