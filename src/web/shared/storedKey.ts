/** The reader's API key in this browser: for the tab alone, or until signing out if the reader asks for it. It is sent to this service only. */
import { browserStorage, tabStorage } from './storage.ts';

const NAME = 'landuse-key';

/** The key of this tab, otherwise the one that the browser remembers. */
export const storedKey = (): string | null => tabStorage.getItem(NAME) ?? browserStorage.getItem(NAME);

/** Whether new tabs of this browser find the key, too. */
export const isKeyRemembered = () => browserStorage.getItem(NAME) !== null;

/**
 * Stores the key.
 * @param options `remember`: also for new tabs and later visits; without it, as the key before was stored
 */
export function storeKey(key: string, { remember = isKeyRemembered() }: { remember?: boolean } = {}): void {
  forgetKey();
  (remember ? browserStorage : tabStorage).setItem(NAME, key);
}

/** Removes the key from this tab and from what the browser remembers. */
export function forgetKey(): void {
  tabStorage.removeItem(NAME);
  browserStorage.removeItem(NAME);
}
