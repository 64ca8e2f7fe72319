// What the page keeps for the next time, where the browser keeps anything, and the backgrounds that can be chosen.

export function kept(name) {
  try {
    return localStorage.getItem(`thaw-${name}`);
  } catch {
    return null; // it keeps nothing
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`thaw-${name}`, value);
  } catch {
    /* neither now */
  }
}

export const BACKGROUNDS = {
  dark: [0.15, 0.16, 0.18, 1],
  light: [0.93, 0.94, 0.96, 1],
  green: [0, 0.7, 0.2, 1],
  transparent: [0, 0, 0, 0],
};

/** Red, green, blue, alpha, 0 to 1, of a name or #RRGGBB; null of anything else. */
export function colourOf(text) {
  if (Object.hasOwn(BACKGROUNDS, text ?? '')) return BACKGROUNDS[text];
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  return hex ? [...hex.slice(1).map((part) => Number.parseInt(part, 16) / 255), 1] : null;
}
