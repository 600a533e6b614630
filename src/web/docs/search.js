// Search: entries that have a word beginning with each typed word, best first. The list of entries is loaded at the first letter.

/** @typedef {{title: string, kind: string, href: string, words: string}} Entry */

const SHOWN = 12;
/** Kinds of entries, most likely first. */
const KINDS = ['page', 'operation', 'guide', 'filter', 'error', 'parameter'];

/** @param {string} text */
const wordsOf = (text) =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * How well an entry fits: lower is better, undefined when a word fits nothing.
 * @param {Entry} entry
 * @param {readonly string[]} sought
 */
function distanceOf({ title, kind, words }, sought) {
  const [inTitle, inWords] = [
    [...wordsOf(title), title.toLowerCase()],
    [...wordsOf(words), ...words.toLowerCase().split(/\s+/)],
  ];
  let distance = KINDS.indexOf(kind) / 10;
  for (const word of sought) {
    if (inTitle.includes(word)) continue;
    else if (inTitle.some((one) => one.startsWith(word))) distance += 1;
    else if (inWords.some((one) => one.startsWith(word))) distance += 4;
    else return undefined;
  }
  return distance + inTitle.length / 100;
}

/**
 * @param {readonly Entry[]} entries
 * @param {string} text
 */
export function search(entries, text) {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry) => {
      const distance = distanceOf(entry, sought);
      return distance === undefined ? [] : [{ entry, distance }];
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

/** @param {Entry} entry */
function itemOf({ title, kind, href }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = title;
  const note = document.createElement('span');
  note.className = 'type';
  note.textContent = kind;
  link.append(' ', note);
  item.append(link);
  return item;
}

export function showSearch() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById('search'));
  const field = form?.querySelector('input');
  const found = document.getElementById('found');
  if (!form || !field || !found) return;
  /** @type {Promise<Entry[]> | undefined} */
  let entries;
  const show = async () => {
    const text = field.value.trim();
    entries ??= fetch('/docs/search.json').then((response) => response.json());
    const items = text ? search(await entries, text).map(itemOf) : [];
    if (text !== field.value.trim()) return;
    if (text && !items.length) items.push(Object.assign(document.createElement('li'), { textContent: 'Nothing begins with that.' }));
    found.replaceChildren(...items);
    found.hidden = !items.length;
  };
  field.addEventListener('input', show);
  field.addEventListener('focus', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    if (event.key === 'Escape') found.hidden = true;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !links.length) return;
    event.preventDefault();
    (at + step < 0 ? field : links[Math.min(at + step, links.length - 1)])?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(/** @type {Node} */ (target))) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    field.focus();
  });
  form.hidden = false;
}
