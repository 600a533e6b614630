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

/** What takes keys, such as Escape, before the page does. */
const TAKES_KEYS = 'dialog[open], :popover-open, .filter-editor, .drawing';

/** Whether a key belongs to a field, or to something that lies over the page. */
export const isTaken = ({ defaultPrevented, target }: KeyboardEvent) =>
  defaultPrevented || isTyping(target) || document.querySelector(TAKES_KEYS) !== null;

/** Whether a key is pressed in a field that takes it. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.matches('textarea, select, input:not([type="checkbox"])');
