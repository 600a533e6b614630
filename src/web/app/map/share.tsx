/** The dialog that shows the state of the page as a call, to copy. */
import { useState } from 'preact/hooks';
import { copyText } from '../shared/clipboard.ts';
import { optionsOf, Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { settings } from '../shared/settings.ts';
import { Dialog, PanelHead, PrimaryButton } from '../shared/ui.tsx';
import { CALLS, codeOf, LANGUAGES } from './code.ts';

const COPIED_MS = 2_000;

type CallName = keyof typeof CALLS;
const CALL_OPTIONS = Object.entries(CALLS).map(([value, { title }]) => ({ value, label: title }));

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
          <div class="pair">
            <Select id="call" label="What to ask for" value={call} options={CALL_OPTIONS} onChange={(name) => setCall(name as CallName)} />
            <Select
              id="language"
              label="Language"
              value={language}
              options={optionsOf(LANGUAGES)}
              onChange={(name) => setLanguage(name as keyof typeof LANGUAGES)}
            />
          </div>
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
