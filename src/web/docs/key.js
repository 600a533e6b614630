// The reader's API key, inserted into the examples.
import { forgetKey, storedKey, storeKey } from '../shared/storedKey.ts';

/** @type {Map<Text, string>} the original texts, without a key */
const written = new Map();

/** @param {Element} block */
function textsOf(block) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const found = [];
  while (walker.nextNode()) found.push(/** @type {Text} */ (walker.currentNode));
  return found;
}

/** Inserts the key into every example, in place of `svc_live_…` and of `$KEY` in a header; without a key, restores the original texts. */
export function fillKey() {
  const key = storedKey();
  for (const block of document.querySelectorAll('main pre:not(.answer)'))
    for (const text of textsOf(block)) {
      const before = written.get(text) ?? text.data;
      written.set(text, before);
      text.data = key
        ? before.replaceAll('svc_live_…', key).replaceAll(/(Bearer |X-API-Key: )\$KEY\b/g, (_, header) => header + key)
        : before;
    }
}

/** Shows the form for the key. */
export function showReader() {
  const reader = /** @type {HTMLDetailsElement | null} */ (document.getElementById('reader'));
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById('reader-key'));
  const form = reader?.querySelector('form');
  const summary = reader?.querySelector('summary');
  if (!reader || !field || !form || !summary) return;
  const show = () => {
    const key = storedKey();
    summary.textContent = key ? `API key …${key.slice(-4)}` : 'API key';
    field.value = key ?? '';
    fillKey();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim()) storeKey(field.value.trim());
    show();
    reader.open = false;
  });
  document.getElementById('forget-key')?.addEventListener('click', () => {
    forgetKey();
    show();
  });
  show();
  reader.hidden = false;
}
