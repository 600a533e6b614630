/** The head of an open alert or list: a link back, its name, which can be changed, and its actions. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { deleteWithUndo, type RestorableKind } from '../shared/deletion.ts';
import type { Asked } from '../shared/hooks.ts';
import { Field } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { readAddress } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Button, Pending } from '../shared/ui.tsx';

const NAME_CHARACTERS_MAX = 200;

function RenameForm({ name, onRename, onClose }: { name: string; onRename: (name: string) => Promise<void>; onClose: () => void }) {
  const [text, setText] = useState(name);
  const save = async () => {
    await onRename(text.trim());
    showToast(`It is called “${text.trim()}” now.`, () => onRename(name));
    onClose();
  };
  return (
    <div class="row rename">
      <Field id="new-name" label="New name" value={text} onChange={setText} maxLength={NAME_CHARACTERS_MAX} />
      <Action kind="primary" disabled={!text.trim() || text.trim() === name} work={save}>
        Rename
      </Action>
      <Button onClick={onClose}>Cancel</Button>
    </div>
  );
}

interface OpenHeadingProps {
  /** text of the link back */
  back: string;
  name: string;
  /** absent if the name cannot be changed */
  onRename?: ((name: string) => Promise<void>) | undefined;
  /** content next to the name */
  badges?: ComponentChildren;
  /** further buttons */
  children?: ComponentChildren;
}

export function OpenHeading({ back, name, onRename, badges, children }: OpenHeadingProps) {
  const [isRenaming, setRenaming] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the beginning of the entry, for keyboards and screen readers.
  useEffect(() => heading.current?.focus(), []);
  return (
    <header class="open-heading">
      <p>
        <StateLink to={{ open: null }}>← {back}</StateLink>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {name} {badges}
      </h1>
      {isRenaming && onRename && <RenameForm {...{ name, onRename }} onClose={() => setRenaming(false)} />}
      <p class="actions">
        {onRename && !isRenaming && <Button onClick={() => setRenaming(true)}>Rename</Button>}
        {children}
      </p>
    </header>
  );
}

/** What is shown until an entry is read. */
export const EntryLoading = ({ title, asked }: { title: string; asked: Asked<unknown> }) => (
  <div class="sheet">
    <h1>{title}</h1>
    <Pending asked={asked} />
  </div>
);

/** Deletes the open entry and closes it; it is opened again where that is undone. */
export function useDeletion(kind: RestorableKind, entry: { id: string; name: string }): () => Promise<void> {
  const { state, go } = usePage();
  return async () => {
    await deleteWithUndo(kind, entry, () => go({ ...readAddress(location), tab: kind, open: entry.id, project: null }));
    go({ ...state, open: null });
  };
}
