/** The head of an open alert or list: a link back, its name, which can be changed, and its actions. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FailedRequest } from '../shared/api.ts';
import { type PagePosition, StateLink } from '../shared/links.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action } from '../shared/ui.tsx';
import { NameField } from './collection.tsx';

const NAME_CHARACTERS_MAX = 200;

interface RenameProps {
  name: string;
  onRename: (name: string) => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
  onClose: () => void;
}

function RenameForm({ name, onRename, onProblem, onClose }: RenameProps) {
  const [text, setText] = useState(name);
  const save = async () => {
    await onRename(text.trim());
    showToast(`It is called “${text.trim()}” now.`, () => onRename(name));
    onClose();
  };
  return (
    <div class="row rename">
      <NameField id="new-name" label="New name" value={text} onChange={setText} maxLength={NAME_CHARACTERS_MAX} />
      <Action kind="primary" disabled={!text.trim() || text.trim() === name} onProblem={onProblem} work={save}>
        Rename
      </Action>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  );
}

interface OpenHeadingProps extends PagePosition {
  /** text of the link back */
  back: string;
  name: string;
  /** absent if the name cannot be changed */
  onRename?: ((name: string) => Promise<void>) | undefined;
  onProblem: (problem: FailedRequest | null) => void;
  /** content next to the name */
  badges?: ComponentChildren;
  /** further buttons */
  children?: ComponentChildren;
}

export function OpenHeading({ back, name, onRename, onProblem, badges, children, ...page }: OpenHeadingProps) {
  const [isRenaming, setRenaming] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the beginning of the entry, for keyboards and screen readers.
  useEffect(() => heading.current?.focus(), []);
  return (
    <header class="open-heading">
      <p>
        <StateLink {...page} to={{ open: null }}>
          ← {back}
        </StateLink>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {name} {badges}
      </h1>
      {isRenaming && onRename && <RenameForm {...{ name, onRename, onProblem }} onClose={() => setRenaming(false)} />}
      <p class="actions">
        {onRename && !isRenaming && (
          <button type="button" onClick={() => setRenaming(true)}>
            Rename
          </button>
        )}
        {children}
      </p>
    </header>
  );
}
