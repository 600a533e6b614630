/** Dark or light: as the reader chose, else as the system asks. */
import { useEffect, useState } from 'preact/hooks';
import { browserStorage } from '../../shared/storage.ts';

export type Theme = 'light' | 'dark';

/** Where a browser keeps the choice. */
const KEPT_CHOICE = 'landuse-theme';
/** Sent to the window when the reader chooses. */
const CHOSEN = 'themechosen';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The theme that the reader chose; null follows the system. */
export function chosenTheme(): Theme | null {
  const kept = browserStorage.getItem(KEPT_CHOICE);
  return kept === 'light' || kept === 'dark' ? kept : null;
}

export const themeNow = (): Theme => chosenTheme() ?? (systemIsDark.matches ? 'dark' : 'light');

/** Shows the chosen theme on the screen: app.css sets `color-scheme` by it. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme() ?? '';
}

/** @param theme null follows the system */
export function chooseTheme(theme: Theme | null): void {
  if (theme) browserStorage.setItem(KEPT_CHOICE, theme);
  else browserStorage.removeItem(KEPT_CHOICE);
  applyTheme();
  dispatchEvent(new Event(CHOSEN));
}

/** Calls a function when the theme may have changed. @returns a function that stops this */
export function observeTheme(observe: () => void): () => void {
  systemIsDark.addEventListener('change', observe);
  addEventListener(CHOSEN, observe);
  return () => {
    systemIsDark.removeEventListener('change', observe);
    removeEventListener(CHOSEN, observe);
  };
}

export function useTheme(): Theme {
  const [theme, setTheme] = useState(themeNow);
  useEffect(() => observeTheme(() => setTheme(themeNow())), []);
  return theme;
}
