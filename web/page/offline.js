// The page's own files, kept so that it opens without a network. Models are never kept.

const KEPT = 'thaw-page';
const FILES = ['./', 'index.html', 'style.css', 'main.js', 'address.js', 'backend.js', 'browser.js', 'collection.js', 'downloads.js', 'fields.js', 'files.js', 'film.js', 'inspector.js', 'manual.js', 'module.js',
  'notices.js', 'panels.js', 'picking.js', 'pictures.js', 'player.js', 'icon.svg', 'icon-192.png', 'icon-512.png', 'rows.js', 'shell.js', 'stage.js', 'thumbnails.js', 'thumbnail-worker.js', 'thaw-module.js', 'thaw-module.wasm', 'manifest.webmanifest',
  ...['README', 'archives', 'batches', 'blender', 'buildings', 'check', 'command', 'convert', 'edit', 'forgelight', 'games', 'git', 'look', 'losses', 'm3', 'mdl', 'page', 'security', 'textures', 'to-warcraft', 'versions', 'worlds'].map((name) => `manual-${name}.md`)];
const OWN = new Set(FILES.map((file) => new URL(file, self.location).href));

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The network's if it answers, so that a new version is seen at once; else what was kept. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  url.hash = '';
  if (request.method !== 'GET' || !OWN.has(url.href)) return;
  event.respondWith(fetch(request).then(async (answer) => {
    if (answer.ok) await (await caches.open(KEPT)).put(url.href, answer.clone());
    return answer;
  }).catch(async () => (await caches.match(url.href)) ?? Response.error()));
});
