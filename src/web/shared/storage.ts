/** What the page keeps in the reader's browser. Where the browser allows none or has no room, it is kept as long as the page is open. */

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PROBE = 'landuse-probe';

function openStorage(kind: 'sessionStorage' | 'localStorage'): Kept | null {
  try {
    const storage = globalThis[kind];
    storage.setItem(PROBE, '');
    storage.removeItem(PROBE);
    return storage;
  } catch {
    return null;
  }
}

function keepInPage(): Kept {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

const ofTab = openStorage('sessionStorage');

/** Whether the browser keeps anything for a tab that is loaded again. */
export const isKeptInTab = ofTab !== null;

/** For this tab. */
export const tabStorage: Kept = ofTab ?? keepInPage();

/** For every tab of this browser, also on later visits. */
export const browserStorage: Kept = openStorage('localStorage') ?? keepInPage();
