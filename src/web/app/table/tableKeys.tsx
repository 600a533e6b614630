/** Keys of the table that work wherever the focus is, and the dialog that tells all of them. */
import { useState } from 'preact/hooks';
import { useListener } from '../shared/hooks.ts';
import { Check } from '../shared/inputs.tsx';
import { areKeysOff, isTaken, switchKeys } from '../shared/singleKeys.ts';
import { Definitions, Dialog, PrimaryButton } from '../shared/ui.tsx';

const KEYS: readonly (readonly [string, string])[] = [
  ['j or ↓', 'Next row'],
  ['k or ↑', 'Previous row'],
  ['Page Down, Page Up', 'A screen of rows'],
  ['Home, End', 'First row, last row that was read'],
  ['Enter', 'Open the record'],
  ['x or Space', 'Select the row; with Shift and a click, all rows between'],
  ['/', 'Search and filter'],
  ['Esc', 'Close what is beside the table; then select none'],
  ['Ctrl-Z', 'Take back what a message says'],
  ['Ctrl-K', 'Search, filter, or go to a tab, anywhere on the page'],
  ['?', 'These keys'],
];

interface KeyActions {
  /** moves the focus into the rows */
  toRows: () => void;
  toSearch: () => void;
  showKeys: () => void;
  close: () => void;
}

/** Single keys without a modifier, outside of fields and dialogs. */
export const useTableKeys = ({ toRows, toSearch, showKeys, close }: KeyActions): void =>
  useListener('keydown', (event) => {
    if (isTaken(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isAtRest = document.activeElement === document.body;
    const singles: Readonly<Record<string, () => void>> = {
      '/': toSearch,
      '?': showKeys,
      ...(isAtRest ? { j: toRows, k: toRows } : {}),
    };
    const act = event.key === 'Escape' ? close : areKeysOff() ? undefined : singles[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [isOff, setOff] = useState(areKeysOff);
  const choose = () => {
    switchKeys(!isOff);
    setOff(!isOff);
  };
  return (
    <Dialog class="keys" aria-labelledby="keys-title" onClose={onClose}>
      {(close) => (
        <>
          <h2 id="keys-title">Keys of the table</h2>
          <Definitions rows={KEYS.map(([key, words]) => [<kbd>{key}</kbd>, words])} />
          <Check checked={!isOff} onChange={choose} label="Single keys (letters, / and ?) do something" />
          <p class="actions">
            <PrimaryButton onClick={close}>Close</PrimaryButton>
          </p>
        </>
      )}
    </Dialog>
  );
}
