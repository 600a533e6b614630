/** A value of a record that shows, when it is clicked, the words of the minutes that it was read from. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { nameOfField } from '../shared/facts.ts';
import { usePage } from '../shared/page.ts';
import { Button, Loading, Notice, QuietButton } from '../shared/ui.tsx';
import { countInWords, date, number } from '../shared/words.ts';
import { Minutes, sourceOfMinutes, titleOfMinutes } from './minutes.tsx';
import { useProofs, type ValueQuote } from './proofs.tsx';

/** The generation that the page is served from, in words. */
function Generation() {
  const { release } = usePage().account;
  return <>{release ? `Generation ${release.generation}, published ${date(release.activatedAt)}` : 'The current generation'}</>;
}

function Quote({ quote: { quote, page, document, documentVersion } }: { quote: ValueQuote }) {
  const { account } = usePage();
  const { readText } = useProofs();
  useEffect(() => {
    if (!account.creditRate) readText(document.meetingDocumentId);
  }, [document.meetingDocumentId]);
  return (
    <figure class="quoted">
      <blockquote>{quote}</blockquote>
      <figcaption class="note">
        {titleOfMinutes(document)}
        <br />
        {sourceOfMinutes(document, { page, documentVersion })}
        {document.url && /^https?:/.test(document.url) && (
          <>
            {' · '}
            <a href={document.url} rel="noreferrer">
              Source
            </a>
          </>
        )}
      </figcaption>
      <Minutes document={document} quote={quote} />
    </figure>
  );
}

/** The proof of a field: its quotes, or a sentence that says that there is none. */
function Proof({ field, id }: { field: string; id: string }) {
  const { quotes, accuracyOf, readAgain } = useProofs();
  const own = quotes?.value?.filter((quote) => quote.field === field);
  const accuracy = own?.length ? accuracyOf(field) : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <div class="proof" id={id} role="group" aria-label={`Proof of ${nameOfField(field)}`}>
      {quotes?.problem && <Notice problem={quotes.problem} again={readAgain} />}
      {!quotes?.problem && !own && <Loading what="Looking for its words" />}
      {own?.length === 0 && (
        <p>
          <strong>No quote is linked to this value.</strong> The minutes may still say it.
        </p>
      )}
      {own?.map((quote) => (
        <Quote key={`${quote.document.meetingDocumentId} ${quote.quote}`} quote={quote} />
      ))}
      {own && (
        <p class="note">
          <Generation />
          {accuracy &&
            ` · ${number(accuracy.right)} of ${countInWords(accuracy.checked, 'checked value')} of this field were right for this body`}
        </p>
      )}
    </div>
  );
}

/** Whether a value has words of the minutes behind it, by its shape and in words. */
const ProofSign = ({ isProven }: { isProven: boolean }) => (
  <>
    <span class="sign" aria-hidden="true">
      {isProven ? '”' : '○'}
    </span>
    <span class="hidden">{isProven ? ', proven by words of the minutes' : ', no quote is linked to it'}</span>
  </>
);

/** A value in a few words: a button that shows its proof below. */
export function Value({ field, children }: { field: string; children: ComponentChildren }) {
  const { open, toggle, quotes } = useProofs();
  const id = useId();
  const isOpen = open.has(field);
  const isProven = quotes?.value?.some((quote) => quote.field === field);
  return (
    <>
      <Button
        kind={`value ${isProven === undefined ? '' : isProven ? 'proven' : 'unproven'}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => toggle(field)}
      >
        {children}
        {isProven !== undefined && <ProofSign isProven={isProven} />}
      </Button>
      {isOpen && <Proof field={field} id={id} />}
    </>
  );
}

/** The same for what is more than a few words: a small button behind it. */
export function ProofOf({ field }: { field: string }) {
  const { open, toggle } = useProofs();
  const id = useId();
  const isOpen = open.has(field);
  return (
    <div class="proof-of">
      <QuietButton aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => toggle(field)}>
        Words in the minutes<span class="hidden"> for {nameOfField(field)}</span>
      </QuietButton>
      {isOpen && <Proof field={field} id={id} />}
    </div>
  );
}
