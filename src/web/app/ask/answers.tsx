/** The result of a question: its progress, its answers with quotes, or why there are none. */
import { useState } from 'preact/hooks';
import type { AiSearchData, AnswerFeedback, Result } from '../../../clients/client/generated.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import type { PageState } from '../shared/state.ts';
import { Action, Badge, ProblemNotice, Problems, SmallAction } from '../shared/ui.tsx';
import { countInWords, date, joinParts, number } from '../shared/words.ts';
import { describeQuoteSource, filtersRead, PARTIAL_WORDS } from './question.ts';
import { judgeAnswer } from './useQuestion.ts';

export function QuestionProgress({ job, cancel }: { job: AiSearchData; cancel: () => Promise<void> }) {
  const { candidates, screened, confirmed } = job.progress;
  return (
    <Problems>
      <section class="card asking" aria-label="Progress">
        <progress aria-label="Records looked at" max={Math.max(1, candidates)} value={candidates ? screened : undefined} />
        <p role="status">
          {job.status === 'queued'
            ? 'Waiting for its turn …'
            : candidates
              ? `Looked at ${number(screened)} of ${countInWords(candidates, 'record')}; ${number(confirmed)} confirmed …`
              : 'Looking for records …'}
        </p>
        <SmallAction work={cancel}>Stop</SmallAction>
        <ProblemNotice />
      </section>
    </Problems>
  );
}

const VERDICTS = [
  ['confirmed', 'Right'],
  ['dismissed', 'Wrong'],
] as const;

/** Two buttons that say whether a record answers the question. */
function Verdict({ id, name, feedback = null, searchId }: { id: number; name: string; feedback?: Result['feedback']; searchId: string }) {
  const [said, setSaid] = useState(feedback);
  const say = async (verdict: AnswerFeedback) => {
    await judgeAnswer(searchId, id, verdict);
    setSaid(verdict);
  };
  return (
    <Problems>
      <div class="verdict">
        <fieldset>
          <legend class="hidden">Does {name} answer the question?</legend>
          {VERDICTS.map(([verdict, label]) => (
            <Action key={verdict} kind="small" isPressed={said === verdict} work={() => say(verdict)}>
              {label}
            </Action>
          ))}
        </fieldset>
        {said && (
          <span class="note" role="status">
            {said === 'confirmed'
              ? 'The next search for this question looks for more like it.'
              : 'The next search for this question leaves it out.'}
          </span>
        )}
        <ProblemNotice />
      </div>
    </Problems>
  );
}

/** A record that answers the question. @param given `to`: what a link to it changes of the page's state */
const AnswerCard = ({ answer, searchId, to }: { answer: Result; searchId: string; to: Partial<PageState> }) => (
  <li class="card answer">
    <h3>
      <StateLink to={to}>{nameOfRecord(answer)}</StateLink>
    </h3>
    <p class="note">
      <Badge token={answer.status} label={answer.statusLabel} />{' '}
      {joinParts(answer.propertyTypeLabel, answer.city ?? answer.county, answer.state, date(answer.meetingDate))}
    </p>
    <dl>
      {answer.matchEvidence.map((evidence) => (
        <div key={`${evidence.criterion}${evidence.quote}`}>
          <dt>{evidence.criterion}</dt>
          <dd>
            <blockquote>{evidence.quote}</blockquote>
            <span class="note">{describeQuoteSource(evidence)}</span>
          </dd>
        </div>
      ))}
    </dl>
    <Verdict id={answer.id} name={nameOfRecord(answer)} feedback={answer.feedback} searchId={searchId} />
  </li>
);

const quotedWords = (words: readonly string[]) => words.map((one) => `“${one}”`).join(', ');

/** Records that meet a part of the question: no answers, and not charged. */
function RelatedRecords({ job }: { job: AiSearchData }) {
  const { count = 0, records = [] } = job.related ?? {};
  if (!count) return null;
  const hidden = count - records.length;
  return (
    <section class="related" aria-labelledby="related-title">
      <h2 id="related-title">May be related</h2>
      <p class="note">
        {countInWords(count, 'other record')} may be related: what is known of them does not say all that you ask. They cost nothing.
        {hidden > 0 && ` ${countInWords(hidden, 'record')} that your team does not hold ${hidden === 1 ? 'is' : 'are'} not shown.`}
      </p>
      <ol class="answers">
        {records.map(({ id, projectName, city, state, meets, misses, quote }) => (
          <li key={id} class="card related-record">
            <h3>
              <StateLink to={{ project: id }}>{projectName ?? `Record ${id}`}</StateLink>
            </h3>
            <p class="note">{joinParts(city, state)}</p>
            <p>{meets.length > 0 ? `Says ${quotedWords(meets)}; may not say ${quotedWords(misses)}` : 'Has words of the question'}</p>
            {quote && <blockquote>{quote}</blockquote>}
            <Verdict id={id} name={projectName ?? `record ${id}`} searchId={job.id} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The sentence above the answers. */
function outcomeOf(job: AiSearchData): string {
  const { status, results, matchCount, matchCountIsExact, progress, error, partialReason, creditsCharged, creditsReserved } = job;
  if (status === 'failed') return `${error?.message ?? 'The search failed.'} Nothing was charged.`;
  if (status === 'cancelled') return 'Stopped before it began. Nothing was charged.';
  const isCut = matchCount !== null && matchCount > results.length;
  const more = !matchCountIsExact ? '; there may be more' : isCut ? `, of ${number(matchCount)} that do` : '';
  const found = results.length
    ? `${countInWords(results.length, 'record')} ${results.length === 1 ? 'answers' : 'answer'} the question${more}.`
    : progress.screened
      ? `None of ${countInWords(progress.screened, 'record')} that were looked at could be confirmed.`
      : 'No record has all the words that the question asks for.';
  const why = status === 'partial' ? (partialReason ? PARTIAL_WORDS[partialReason] : 'The search ended early.') : '';
  const cost = creditsReserved ? `${countInWords(creditsCharged, 'credit')} charged.` : '';
  return [found, why, cost].filter(Boolean).join(' ');
}

/** Suggestions if nothing was confirmed. */
function NothingFound({ job }: { job: AiSearchData }) {
  const { state } = usePage();
  const filters = filtersRead(job);
  const unproven = { tab: 'map', view: null, project: null, filters: { ...state.filters, ...filters, dateRange: 'all' } } as const;
  return (
    <div class="empty">
      <p>An answer needs a sentence that proves every part of the question. Ask for less at a time, in the words that minutes use.</p>
      {Object.keys(filters).length > 0 && (
        <p>
          <StateLink to={unproven}>Show all records of these filters instead</StateLink>
        </p>
      )}
    </div>
  );
}

export function Answers({ job }: { job: AiSearchData }) {
  const { results } = job;
  const onMap = { tab: 'map', view: null, project: null, filters: { projectIds: results.map(({ id }) => id).join(',') } } as const;
  const isDone = job.status === 'completed' || job.status === 'partial';
  const located = results.some(({ latitude }) => latitude !== null);
  return (
    <section aria-labelledby="answers-title">
      <h2 id="answers-title">{results.length ? 'Answers' : 'No answer'}</h2>
      <p class="outcome" role="status">
        {outcomeOf(job)}
      </p>
      {results.length > 0 && (
        <p class="answer-links">
          {located && <StateLink to={onMap}>Show them on the map</StateLink>}
          <StateLink to={{ ...onMap, tab: 'table' }}>Show them as a table</StateLink>
        </p>
      )}
      {isDone && !results.length && <NothingFound job={job} />}
      <ol class="answers">
        {results.map((answer) => (
          <AnswerCard key={answer.id} answer={answer} searchId={job.id} to={{ ...onMap, project: answer.id }} />
        ))}
      </ol>
      <RelatedRecords job={job} />
    </section>
  );
}
