#include "cli/report/contact_sheet.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"

#include <string_view>

namespace thaw::cli {
namespace {

constexpr std::string_view kHead = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="thaw">
<title>Models</title>
<style>
:root { color-scheme: light dark; --line: #8884; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 0; }
header { position: sticky; top: 0; padding: .6rem 1rem; background: Canvas; border-bottom: 1px solid var(--line);
  display: flex; gap: 1rem; flex-wrap: wrap; align-items: center; z-index: 1; }
input, select { font: inherit; padding: .3rem .5rem; }
input[type=search] { flex: 1 1 16rem; }
main { display: grid; gap: 1rem; padding: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(var(--side), 100%), 1fr)); }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
figure img, figure .none { display: block; width: 100%; aspect-ratio: 1; object-fit: contain; background: #3c4248; }
figure .none { display: grid; place-content: center; padding: 1rem; box-sizing: border-box; color: #eee; text-align: center; overflow-wrap: anywhere; }
figcaption { padding: .5rem .7rem; overflow-wrap: anywhere; }
dl { margin: .3rem 0 0; display: grid; grid-template-columns: auto 1fr; gap: 0 .6rem; font-size: .85em; opacity: .85; }
dd { margin: 0; }
.bad { color: #d33; }
</style>
<header>
<label>Search <input type="search" id="search" autofocus placeholder="name, clip, format, missing, empty, error …"></label>
<label>Sort <select id="sort"><option value="name">name</option><option value="bytes">size</option>
<option value="triangles">triangles</option><option value="clips">clips</option><option value="missing">missing textures</option></select></label>
<output id="count"></output>
</header>
<main id="sheet"></main>
<script type="application/json" id="models">[
)html";

constexpr std::string_view kTail = R"html(]</script>
<script>
'use strict';
const models = JSON.parse(document.getElementById('models').textContent);
const sheet = document.getElementById('sheet');
const search = document.getElementById('search');
const sort = document.getElementById('sort');
const size = (bytes) => bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + ' KB' : (bytes / 1e6).toFixed(1) + ' MB';
const element = (name, text, kind) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
};
for (const model of models) {
  try {
    if (model.kept) model.facts = JSON.parse(model.kept);
  } catch {
    model.facts = null;
  }
  const f = model.facts ?? {};
  const figure = element('figure');
  if (model.picture) {
    const image = element('img');
    image.loading = 'lazy';
    image.alt = model.name;
    image.src = model.picture.split('/').map(encodeURIComponent).join('/');
    figure.append(image);
  } else {
    figure.append(element('div', model.failure, 'none'));
  }
  const caption = element('figcaption', model.name);
  const list = element('dl');
  const report = (what, value, bad) => {
    if (value === undefined || value === null || value === '') return;
    list.append(element('dt', what), element('dd', String(value), bad ? 'bad' : ''));
  };
  report('format', [f.format, f.dialect, f.version].filter((part) => part !== undefined && part !== null && part !== '').join(' '));
  report('size', f.bytes === undefined ? '' : size(f.bytes));
  report('triangles', f.triangles);
  report('clips', f.clips ? f.clips + (f.clip ? ' (' + f.clip + ')' : '') : '');
  report('emitters', f.emitters || '');
  report('textures', f.textures === undefined ? '' : f.textures + (f.missing ? ', ' + f.missing + ' missing' : ''), f.missing > 0);
  report('stand-ins', f.standIns || '');
  report('errors', f.errors || '', true);
  report('warnings', f.warnings || '');
  report('picture', f.empty ? 'nothing is visible' : '', true);
  report('failed', model.failure, true);
  caption.append(list);
  figure.append(caption);
  model.figure = figure;
  model.text = [model.name, model.failure, f.name, f.format, f.dialect, f.version, f.clip,
    f.missing ? 'missing' : '', f.errors ? 'error' : '', f.warnings ? 'warning' : '', f.empty ? 'empty nothing is visible' : '', model.failure ? 'failed error' : '']
    .join(' ').toLowerCase();
}
const show = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => words.every((word) => model.text.includes(word)));
  const key = sort.value;
  found.sort((a, b) => key === 'name' ? 0 : ((b.facts?.[key] ?? -1) - (a.facts?.[key] ?? -1)));
  sheet.replaceChildren(...found.map((model) => model.figure));
  document.getElementById('count').textContent = found.length + ' of ' + models.length;
};
search.addEventListener('input', show);
sort.addEventListener('change', show);
show();
</script>
</html>
)html";

/// JSON inside a script element must not end it.
std::string guarded(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string contact_sheet(std::span<const SheetEntry> entries, std::uint32_t size) {
  std::string page(kHead);
  const std::string root = ":root {";
  const std::uint32_t side = size < 96 ? 96 : size > 400 ? 400 : size;
  page.insert(page.find(root) + root.size(), " --side: " + std::to_string(side) + "px;");
  bool first = true;
  for (const auto& entry : entries) {
    if (entry.name.empty()) {
      continue;
    }
    Value value;
    value.set("name", entry.name).set("picture", entry.picture).set("failure", entry.failure);
    value.set("facts", entry.facts);
    page += first ? "" : ",\n";
    first = false;
    if (!entry.facts_json.empty()) {
      value.set("kept", entry.facts_json);
    }
    page += guarded(to_json(value));
  }
  page += kTail;
  return page;
}

bool is_contact_sheet(const std::filesystem::path& path) {
  const auto bytes = read_file(path, {});
  if (!bytes) {
    return false;
  }
  const std::string_view text = as_text(*bytes);
  return text.find(R"(<meta name="generator" content="thaw">)") < kHead.size();
}

}  // namespace thaw::cli
