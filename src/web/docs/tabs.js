// Examples in several languages as tabs, of which the chosen one is remembered, and a copy button for each block.
import { browserStorage } from '../shared/storage.ts';

const CHOSEN = 'landuse-language';

/**
 * @param {string} label
 * @param {string} [kind] its class
 */
export function button(label, kind = '') {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.className = kind;
  return made;
}

/** @param {Element} block */
function addCopy(block) {
  // Missing where a page came without TLS.
  if (!navigator.clipboard) return;
  const copy = button('Copy', 'copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'copied';
  block.replaceWith(frame);
  frame.append(block, copy);
}

/** @param {Element} tabs */
function addTabs(tabs) {
  const panels = [...tabs.querySelectorAll('.tab')].map((panel) => /** @type {HTMLElement} */ (panel));
  const bar = document.createElement('div');
  bar.setAttribute('role', 'tablist');
  bar.setAttribute('aria-label', 'Languages');
  const choose = (/** @type {string | undefined} */ name) => {
    for (const [i, panel] of panels.entries()) {
      const chosen = panel.dataset.tab === name;
      panel.hidden = !chosen;
      bar.children[i]?.setAttribute('aria-selected', String(chosen));
      bar.children[i]?.setAttribute('tabindex', chosen ? '0' : '-1');
    }
  };
  for (const panel of panels) {
    const name = panel.dataset.tab ?? '';
    const tab = button(name);
    tab.setAttribute('role', 'tab');
    tab.addEventListener('click', () => {
      browserStorage.setItem(CHOSEN, name);
      choose(name);
    });
    panel.querySelector('h3')?.remove();
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-label', name);
    bar.append(tab);
  }
  bar.addEventListener('keydown', ({ key }) => {
    const at = panels.findIndex((panel) => !panel.hidden);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 }[key];
    const tab = next === undefined ? undefined : /** @type {HTMLElement} */ (bar.children[(next + panels.length) % panels.length]);
    tab?.click();
    tab?.focus();
  });
  tabs.prepend(bar);
  const kept = browserStorage.getItem(CHOSEN);
  choose(panels.some((panel) => panel.dataset.tab === kept) ? (kept ?? undefined) : panels[0]?.dataset.tab);
}

export function showTabs() {
  for (const block of document.querySelectorAll('main pre')) addCopy(block);
  for (const tabs of document.querySelectorAll('.tabs')) addTabs(tabs);
}
