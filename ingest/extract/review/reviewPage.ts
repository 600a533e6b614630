/** The page of a review: a value beside its words, judged by keys. It loads nothing from elsewhere. */

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2630;--soft:#5a6775;--paper:#fdfdfb;--line:#c9d0d6;--mark:#ffe9a8;--right:#1f7a4d;--wrong:#a02c2c}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa7b3;--paper:#14191e;--line:#3a444d;--mark:#5c4a12;--right:#6fcf9f;--wrong:#ef8f8f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem 1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;align-items:baseline;justify-content:space-between}
h1{font-size:1.1rem;margin:0}progress{width:100%;height:.5rem;margin:.5rem 0 1rem}
.soft{color:var(--soft)}
main{display:grid;grid-template-columns:minmax(15rem,2fr) 3fr;gap:1.2rem}
@media (max-width:46rem){main{grid-template-columns:1fr}}
section{min-width:0}p{margin:0 0 .5rem}
h2{font-size:1rem;font-weight:400;margin:0 0 .3rem;color:var(--soft)}
.value{font-size:1.6rem;line-height:1.3;font-weight:600;overflow-wrap:anywhere;white-space:pre-wrap;max-height:40vh;overflow:auto}
.value.long{font-size:1rem;font-weight:400}
blockquote{margin:0 0 1rem;padding:.6rem .9rem;border-left:3px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;max-height:45vh;overflow:auto}
mark{background:var(--mark);color:inherit;padding:.1em 0}
footer{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:1rem}
button{font:inherit;padding:.45rem .9rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;cursor:pointer}
button:focus-visible{outline:2px solid currentColor;outline-offset:2px}
button.right[aria-pressed=true]{border-color:var(--right);color:var(--right)}button.wrong[aria-pressed=true]{border-color:var(--wrong);color:var(--wrong)}
kbd{border:1px solid var(--line);border-radius:.25rem;padding:0 .3rem;font:inherit;font-size:.85em}
#problem{color:var(--wrong)}`;

const SCRIPT = `
const $ = (id) => document.getElementById(id);
let values = [], at = 0, isSending = false;
const words = (name) => name.replace(/([A-Z])/g, ' $1').toLowerCase();
const say = (value) => Array.isArray(value) ? value.map(say).join('\\n') : value && typeof value === 'object'
  ? Object.entries(value).filter(([, inner]) => inner !== null).map(([name, inner]) => words(name) + ': ' + say(inner)).join(', ') : String(value);
const element = (name, text, className = '') => Object.assign(document.createElement(name), { textContent: text, className });
function show() {
  const done = values.filter((one) => one.right !== null).length;
  $('bar').max = values.length; $('bar').value = done;
  $('count').textContent = done + ' of ' + values.length + ' judged, ' + values.filter((one) => one.right).length + ' right';
  const value = values[at];
  $('place').textContent = 'value ' + (at + 1);
  $('record').textContent = value.record;
  $('field').textContent = words(value.field);
  const text = say(value.value);
  $('value').textContent = text; $('value').className = text.length > 160 ? 'value long' : 'value';
  $('quotes').replaceChildren(...value.quotes.flatMap((quote) => {
    const block = document.createElement('blockquote');
    block.append(quote.before, element('mark', quote.words), quote.after);
    return [element('p', quote.document + (quote.page ? ', page ' + quote.page : ''), 'soft'), block];
  }));
  for (const block of document.querySelectorAll('blockquote')) block.scrollTop = block.querySelector('mark').offsetTop - block.offsetTop - 80;
  $('right').setAttribute('aria-pressed', value.right === true); $('wrong').setAttribute('aria-pressed', value.right === false);
  $('end').hidden = done < values.length;
}
const go = (to) => { at = Math.max(0, Math.min(values.length - 1, to)); show(); };
async function answer(right) {
  if (isSending) return;
  isSending = true;
  try {
    const sent = await fetch('/answers', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ index: at, right }) });
    if (!sent.ok) throw new Error(await sent.text());
    values[at].right = right; $('problem').textContent = '';
    const next = values.findIndex((one, i) => i > at && one.right === null);
    go(next < 0 ? at + 1 : next);
  } catch (error) { $('problem').textContent = 'The answer was not stored (' + error.message + '). Is the command still running?'; }
  isSending = false;
}
const yes = () => answer(true), no = () => answer(false), back = () => go(at - 1), skip = () => go(at + 1);
const keys = { ArrowRight: yes, r: yes, ArrowLeft: no, w: no, ArrowUp: back, b: back, ArrowDown: skip, s: skip };
addEventListener('keydown', (event) => {
  const work = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
  if (!work) return;
  event.preventDefault();
  if (!event.repeat) work();
});
Object.entries({ right: yes, wrong: no, back, skip }).forEach(([id, work]) => { $(id).onclick = work; });
fetch('/values').then((sent) => sent.json()).then((drawn) => { values = drawn; go(Math.max(0, values.findIndex((one) => one.right === null))); });`;

export const REVIEW_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Review of values</title><style>${STYLE}</style></head>
<body>
<header><h1>Do the words say this value?</h1><span class="soft"><span id="place"></span> · <span id="count" role="status"></span></span></header>
<progress id="bar" aria-label="Judged values"></progress>
<main>
<section aria-label="Value"><p class="soft" id="record"></p><h2 id="field"></h2><div class="value" id="value" tabindex="0"></div></section>
<section aria-label="Words of the minutes" id="quotes"></section>
</main>
<footer>
<button class="right" id="right" aria-pressed="false">Right <kbd>→</kbd> <kbd>r</kbd></button>
<button class="wrong" id="wrong" aria-pressed="false">Wrong <kbd>←</kbd> <kbd>w</kbd></button>
<button id="back">Back <kbd>↑</kbd> <kbd>b</kbd></button>
<button id="skip">Skip <kbd>↓</kbd> <kbd>s</kbd></button>
</footer>
<p id="problem" role="alert"></p>
<p id="end" hidden>All values are judged. Stop the command, and load its file with <kbd>npm run ingest -- load</kbd>.</p>
<script>${SCRIPT}</script>
</body></html>`;
