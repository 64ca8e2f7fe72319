// What is shown, in the page's address: a link opens the same view.

const numbers = (text) => text.split(',').map(Number);
const short = (number) => String(Number(Number(number).toPrecision(6)));

/** {file, clip, time, camera, own, team, background} as far as the address says so. */
export function readAddress(hash = location.hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const camera = said.has('camera') ? numbers(said.get('camera')) : null;
  const [time, clock] = ['time', 'clock'].map((name) => Number(said.get(name) ?? NaN));
  return {
    file: said.get('file'),
    clip: said.get('clip'),
    time: Number.isFinite(time) ? time : null,
    clock: Number.isFinite(clock) ? clock : 0,
    camera: [5, 6].includes(camera?.length) && camera.every(Number.isFinite) ? camera : null,
    own: said.has('own') ? Number(said.get('own')) : null,
    team: said.get('team'),
    background: said.get('background'),
  };
}

/** @param viewer the state in main.js */
export function addressOf(viewer) {
  const { orbit, scene } = viewer;
  const said = new URLSearchParams({ file: viewer.path });
  if (viewer.player.clip >= 0) said.set('clip', scene.clips[viewer.player.clip].name);
  if (!viewer.player.playing) {
    said.set('time', short(viewer.player.time));
    said.set('clock', short(viewer.player.clock)); // of what goes on beside all clips
  }
  if (orbit.own === null)
    said.set(
      'camera',
      [orbit.azimuth, orbit.elevation, ...(orbit.pivot ? [orbit.away, ...orbit.pivot] : [orbit.distance, ...orbit.shift])]
        .map(short)
        .join(),
    );
  else said.set('own', orbit.own);
  if (viewer.team !== '0') said.set('team', viewer.team);
  if (viewer.background !== 'dark') said.set('background', viewer.background);
  return `#${said}`;
}
