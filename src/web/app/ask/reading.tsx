/** The interpretation of a question, as chips that can be changed or removed. */
import { useState } from 'preact/hooks';
import type { AiSearchData } from '../../../clients/client/generated.ts';
import { useCriteriaChips } from '../shared/criteria.tsx';
import { Notes, QuietButton } from '../shared/ui.tsx';
import { partsOf, type QuestionPart, withWords } from './question.ts';

interface ReadingChipProps {
  part: QuestionPart;
  /** empty to remove it */
  onChange: (words: string) => void;
}

function EditedChip({ part: { words }, onChange, onClose }: ReadingChipProps & { onClose: () => void }) {
  const [text, setText] = useState(words);
  const save = (event: Event) => {
    event.preventDefault();
    onClose();
    if (text.trim() !== words) onChange(text.trim());
  };
  return (
    <form class="reading-edit" onSubmit={save}>
      <label>
        Words of the question{' '}
        <input
          // biome-ignore lint/a11y/noAutofocus: the reader has just asked to edit it
          autofocus
          value={text}
          maxLength={200}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
      </label>
      <button type="submit" class="small">
        Change
      </button>
      <QuietButton onClick={onClose}>Leave it</QuietButton>
    </form>
  );
}

function ReadingChip(props: ReadingChipProps) {
  const [isEdited, setEdited] = useState(false);
  const meaning = useCriteriaChips(props.part.filters)
    .map(({ label, text }) => `${label}: ${text}`)
    .join('; ');
  if (isEdited) return <EditedChip {...props} onClose={() => setEdited(false)} />;
  const { words } = props.part;
  return (
    <>
      <QuietButton onClick={() => setEdited(true)}>
        “{words}”{meaning && <span class="note"> {meaning}</span>}
        <span class="hidden">, change it</span>
      </QuietButton>
      <QuietButton aria-label={`Remove “${words}”`} onClick={() => props.onChange('')}>
        ×
      </QuietButton>
    </>
  );
}

interface ReadingProps {
  job: AiSearchData;
  /** messages of the answer */
  warnings: readonly string[];
  /** called with a change */
  consequence: string;
  onChange: (question: string) => void;
}

/** The parts of the question; a change of one changes the question. */
export function Reading({ job, warnings, consequence, onChange }: ReadingProps) {
  const parts = partsOf(job);
  if (!parts.length) return null;
  return (
    <section class="reading" aria-labelledby="reading-title">
      <h2 id="reading-title">How the question was read</h2>
      <ul class="place-chips">
        {parts.map((part) => (
          <li key={`${part.words}${JSON.stringify(part.filters)}`}>
            <ReadingChip part={part} onChange={(words) => onChange(withWords(job.query, part, words))} />
          </li>
        ))}
      </ul>
      <p class="note">What became a filter is named; other words have to be proven by the record’s text. {consequence}</p>
      <Notes notes={[...job.interpretation.warnings, ...warnings]} />
    </section>
  );
}
