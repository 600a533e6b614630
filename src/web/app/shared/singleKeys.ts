/** Keys without a modifier, which a reader can switch off. */
import { browserStorage } from '../../shared/storage.ts';

/** Where a browser keeps that its reader wants none. */
const KEPT_CHOICE = 'landuse-single-keys';
const OFF = 'off';

/** Whether the reader switched single keys off. */
export const areKeysOff = () => browserStorage.getItem(KEPT_CHOICE) === OFF;

export function switchKeys(isOff: boolean): void {
  if (isOff) browserStorage.setItem(KEPT_CHOICE, OFF);
  else browserStorage.removeItem(KEPT_CHOICE);
}

/** Whether a key is pressed in a field that takes it. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.matches('textarea, select, input:not([type="checkbox"])');
