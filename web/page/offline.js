// The page's own files, kept so that it opens without a network. Models are never kept.

/** @type {any} what a service worker has, which pages have not */
const worker = self;
const KEPT = 'thaw-page';
// prettier-ignore
const FILES = ['./', /* web/CMakeLists.txt lists the others here */];
const OWN = new Set(FILES.map((file) => new URL(file, worker.location).href));

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

/** The network's if it answers, so that a new version is seen at once; else what was kept. */
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  url.hash = '';
  if (request.method !== 'GET' || !OWN.has(url.href)) return;
  event.respondWith(
    fetch(request)
      .then(async (answer) => {
        if (answer.ok) await (await caches.open(KEPT)).put(url.href, answer.clone());
        return answer;
      })
      .catch(async () => (await caches.match(url.href)) ?? Response.error()),
  );
});
