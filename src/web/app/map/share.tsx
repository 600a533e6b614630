/** The dialog that shows the state of the page as a call, to copy. */
import { useState } from 'preact/hooks';
import { copyText } from '../shared/clipboard.ts';
import { usePage } from '../shared/page.ts';
import { settings } from '../shared/settings.ts';
import { Dialog, PanelHead, PrimaryButton } from '../shared/ui.tsx';
import { CALLS, codeOf, LANGUAGES } from './code.ts';

const COPIED_MS = 2_000;

interface SegmentsProps<T extends string> {
  label: string;
  /** titles by name */
  choices: Readonly<Record<T, string>>;
  chosen: T;
  onChoose: (name: T) => void;
}

const Segments = <T extends string>({ label, choices, chosen, onChoose }: SegmentsProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
  <div class="segments" role="group" aria-label={label}>
    {(Object.keys(choices) as T[]).map((name) => (
      <button key={name} type="button" aria-pressed={chosen === name} onClick={() => onChoose(name)}>
        {choices[name]}
      </button>
    ))}
  </div>
);

type CallName = keyof typeof CALLS;
const CALL_TITLES = Object.fromEntries(Object.entries(CALLS).map(([name, { title }]) => [name, title])) as Record<CallName, string>;

export function Share({ onClose }: { onClose: () => void }) {
  const { filters, view } = usePage().state;
  const [language, setLanguage] = useState<keyof typeof LANGUAGES>('curl');
  const [call, setCall] = useState<CallName>('count');
  const [copied, setCopied] = useState(false);
  const asked = call === 'map' && view ? { ...filters, view } : filters;
  const code = codeOf(language, { publicUrl: settings.publicUrl, call, filters: asked });
  const copy = async () => {
    await copyText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Dialog class="panel share" aria-labelledby="share-title" onClose={onClose}>
      {(close) => (
        <>
          <PanelHead id="share-title" title="This search as a call" onClose={close} />
          <Segments label="What to ask for" choices={CALL_TITLES} chosen={call} onChoose={setCall} />
          <Segments label="Language" choices={LANGUAGES} chosen={language} onChoose={setLanguage} />
          {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard */}
          <pre class="code" tabIndex={0} role="group" aria-label="Code">
            {code}
          </pre>
          <p class="actions">
            <PrimaryButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</PrimaryButton>{' '}
            <span class="note" role="status">
              {copied ? 'Copied.' : 'The key is read from the environment; it is not in the text.'}
            </span>
          </p>
        </>
      )}
    </Dialog>
  );
}
