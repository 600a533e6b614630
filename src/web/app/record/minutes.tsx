/** The text of a meeting's minutes: all of it, or the passage that holds a quote, marked. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type CaseNames, caseNamesOf } from '../../../core/domain/cases/caseNames.ts';
import { findCasePassages } from '../../../core/domain/cases/casePassages.ts';
import { usePage } from '../shared/page.ts';
import { Loading, Notice, SmallButton } from '../shared/ui.tsx';
import { date, joinParts } from '../shared/words.ts';
import { type MinutesReference, useProofs, type ValueQuote } from './proofs.tsx';

interface MarkedPassage {
  before: string;
  words: string;
  after: string;
  /** whether text was left out before and after it */
  cut: readonly [boolean, boolean];
}

/** The position of a quote; in the record's own hearing if the minutes repeat the words for several cases, -1 if they do not contain them. */
function placeOfQuote(text: string, quote: string, names: CaseNames): number {
  const own = findCasePassages(text, names).find((passage) => passage.text.includes(quote));
  return own ? own.start + own.text.indexOf(quote) : text.indexOf(quote);
}

/**
 * The quote with the text around it; null if the document was reloaded and no longer contains it.
 * @param names of the record's case in the document
 * @param around characters kept on each side, up to a whole word; all of them unless given
 */
function findPassage(text: string, quote: string, names: CaseNames, around = Number.POSITIVE_INFINITY): MarkedPassage | null {
  const start = placeOfQuote(text, quote, names);
  if (start < 0) return null;
  const before = text.slice(0, start);
  const after = text.slice(start + quote.length);
  const isCutBefore = before.length > around;
  const isCutAfter = after.length > around;
  return {
    before: isCutBefore ? before.slice(-around).replace(/^\S*\s/, '') : before,
    words: quote,
    after: isCutAfter ? after.slice(0, around).replace(/\s\S*$/, '') : after,
    cut: [isCutBefore, isCutAfter],
  };
}

const EXCERPT_LENGTH = 320;

/** The document's name, body and date. */
export const titleOfMinutes = ({ meetingDocumentId, title }: MinutesReference) => title ?? `Document ${meetingDocumentId}`;
export const sourceOfMinutes = (
  document: MinutesReference,
  { page, documentVersion }: Pick<ValueQuote, 'page' | 'documentVersion'> = { page: null, documentVersion: null },
) =>
  joinParts(
    document.decisionBodyLabel ?? document.decisionBody,
    date(document.meetingDate),
    documentVersion,
    page !== null && `page ${page}`,
  );

const Marked = ({ before, words, after, cut: [isCutBefore, isCutAfter] }: MarkedPassage) => (
  <>
    {isCutBefore && '… '}
    {before}
    <mark>{words}</mark>
    {after}
    {isCutAfter && ' …'}
  </>
);

/** The quote in its place in the record's own hearing. */
function usePassage(text: string, quote: string | undefined, around?: number): MarkedPassage | null {
  const { record } = useProofs();
  return useMemo(() => (quote ? findPassage(text, quote, caseNamesOf({ ...record }), around) : null), [text, quote, record]);
}

/** The whole text in a box that scrolls, at the mark if there is one. */
function WholeText({ text, quote }: { text: string; quote?: string }) {
  const box = useRef<HTMLPreElement>(null);
  const passage = usePassage(text, quote);
  useLayoutEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3;
  }, [text, quote]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <pre class="minutes" tabIndex={0} role="group" aria-label="Text of the minutes" ref={box}>
      {passage ? <Marked {...passage} /> : text}
    </pre>
  );
}

/** The passage around a quote, and on request everything around it. */
function QuotedText({ text, quote }: { text: string; quote: string }) {
  const [isWhole, setWhole] = useState(false);
  const passage = usePassage(text, quote, EXCERPT_LENGTH);
  if (!text) return <p class="note">The service has no text of this document.</p>;
  return (
    <>
      {!passage && <p class="note">The text of the document does not have these words letter for letter.</p>}
      {isWhole ? (
        <WholeText text={text} quote={quote} />
      ) : (
        passage && (
          <p class="passage">
            <Marked {...passage} />
          </p>
        )
      )}
      <p class="actions">
        <SmallButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Only the passage' : 'The whole minutes'}
        </SmallButton>
      </p>
    </>
  );
}

/**
 * The minutes of a document: a button that reads them, with its price, then their text.
 * @param given `quote`: words to mark; without it the whole text is shown
 */
export function Minutes({ document: { meetingDocumentId: id }, quote }: { document: MinutesReference; quote?: string }) {
  const { account } = usePage();
  const { texts, readText } = useProofs();
  const [isAsked, setAsked] = useState(false);
  const text = texts[id];
  if (text?.problem) return <Notice problem={text.problem} again={() => readText(id)} />;
  if (text?.value !== undefined && quote) return <QuotedText text={text.value} quote={quote} />;
  if (text?.value !== undefined && isAsked) return <WholeText text={text.value || 'The document has no text.'} />;
  if (text && text.value === undefined) return <Loading what="Reading the minutes" />;
  const read = () => {
    setAsked(true);
    readText(id);
  };
  return (
    <span class="actions">
      <SmallButton onClick={read}>
        {quote ? 'Show it in the minutes' : 'Read the minutes'}
        {account.creditRate > 0 && !text && ' (1 credit the first time)'}
      </SmallButton>
    </span>
  );
}
