/** The result of a question: its progress, its answers with quotes, or why there are none. */
import { useState } from 'preact/hooks';
import type { FailedRequest } from '../shared/api.ts';
import { Link } from '../shared/link.tsx';
import { type PageState, toAddress } from '../shared/state.ts';
import { Action, asProblem, Badge, Notice } from '../shared/ui.tsx';
import { countInWords, date, joinParts, number } from '../shared/words.ts';
import { type AnswerFeedback, filtersRead, PARTIAL_WORDS, type QuestionAnswer, type QuestionJob, sourceInWords } from './question.ts';
import { judgeAnswer } from './useQuestion.ts';

interface AnswersProps {
  job: QuestionJob;
  state: PageState;
  go: (next: PageState) => void;
}

export function QuestionProgress({ job, cancel }: { job: QuestionJob; cancel: () => Promise<void> }) {
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { candidates, screened, confirmed } = job.progress;
  return (
    <section class="card asking" aria-label="Progress">
      <progress aria-label="Records looked at" max={Math.max(1, candidates)} value={candidates ? screened : undefined} />
      <p role="status">
        {job.status === 'queued'
          ? 'Waiting for its turn …'
          : candidates
            ? `Looked at ${number(screened)} of ${countInWords(candidates, 'record')}; ${number(confirmed)} confirmed …`
            : 'Looking for records …'}
      </p>
      <Action kind="small" work={cancel} onProblem={setProblem}>
        Stop
      </Action>
      {problem && <Notice problem={problem} />}
    </section>
  );
}

const VERDICTS = [
  ['confirmed', 'Right'],
  ['dismissed', 'Wrong'],
] as const;

/** Two buttons that say whether a record answers the question. */
function Verdict({ answer, searchId }: { answer: QuestionAnswer; searchId: string }) {
  const [said, setSaid] = useState(answer.feedback);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const say = async (feedback: AnswerFeedback) => {
    setProblem(null);
    try {
      await judgeAnswer(searchId, answer.id, feedback);
      setSaid(feedback);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <div class="verdict">
      <fieldset>
        <legend class="hidden">Does {nameOf(answer)} answer the question?</legend>
        {VERDICTS.map(([feedback, label]) => (
          <button key={feedback} type="button" class="small" aria-pressed={said === feedback} onClick={() => say(feedback)}>
            {label}
          </button>
        ))}
      </fieldset>
      {said && (
        <span class="note" role="status">
          {said === 'confirmed'
            ? 'The next search for this question looks for more like it.'
            : 'The next search for this question leaves it out.'}
        </span>
      )}
      {problem && <Notice problem={problem} />}
    </div>
  );
}

const nameOf = ({ id, displayName, projectName }: QuestionAnswer) => displayName ?? projectName ?? `Project ${id}`;

interface AnswerCardProps {
  answer: QuestionAnswer;
  searchId: string;
  to: PageState;
  go: (next: PageState) => void;
}

function AnswerCard({ answer, searchId, to, go }: AnswerCardProps) {
  return (
    <li class="card answer">
      <h3>
        <Link href={toAddress(to)} follow={() => go(to)}>
          {nameOf(answer)}
        </Link>
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
              <span class="note">{sourceInWords(evidence)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Verdict answer={answer} searchId={searchId} />
    </li>
  );
}

/** The sentence above the answers. */
function outcomeOf({
  status,
  results,
  matchCount,
  matchCountIsExact,
  progress,
  error,
  partialReason,
  creditsCharged,
  creditsReserved,
}: QuestionJob): string {
  if (status === 'failed') return `${error?.message ?? 'The search failed.'} Nothing was charged.`;
  if (status === 'cancelled') return 'Stopped before it began. Nothing was charged.';
  const isCut = matchCount !== null && matchCount > results.length;
  const more = !matchCountIsExact ? '; there may be more' : isCut ? `, of ${number(matchCount)} that do` : '';
  const found = results.length
    ? `${countInWords(results.length, 'record')} ${results.length === 1 ? 'answers' : 'answer'} the question${more}.`
    : progress.screened
      ? `None of ${countInWords(progress.screened, 'record')} that were looked at could be confirmed.`
      : 'No record has the words that the question asks for.';
  const why = status === 'partial' ? (PARTIAL_WORDS[partialReason ?? ''] ?? 'The search ended early.') : '';
  const cost = creditsReserved ? `${countInWords(creditsCharged, 'credit')} charged.` : '';
  return [found, why, cost].filter(Boolean).join(' ');
}

/** Suggestions if nothing was confirmed. */
function NothingFound({ job, state, go }: AnswersProps) {
  const filters = filtersRead(job);
  const hasFilters = Object.keys(filters).length > 0;
  const unproven: PageState = {
    ...state,
    tab: 'map',
    view: null,
    project: null,
    filters: { ...state.filters, ...filters, dateRange: 'all' },
  };
  return (
    <div class="empty">
      <p>An answer needs a sentence that proves every part of the question. Ask for less at a time, in the words that minutes use.</p>
      {hasFilters && (
        <p>
          <Link href={toAddress(unproven)} follow={() => go(unproven)}>
            Show all records of these filters instead
          </Link>
        </p>
      )}
    </div>
  );
}

export function Answers({ job, state, go }: AnswersProps) {
  const { results } = job;
  const ids = results.map(({ id }) => id).join(',');
  const onMap: PageState = { ...state, tab: 'map', view: null, project: null, filters: { projectIds: ids } };
  const inTable: PageState = { ...onMap, tab: 'table' };
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
          {located && (
            <Link href={toAddress(onMap)} follow={() => go(onMap)}>
              Show them on the map
            </Link>
          )}
          <Link href={toAddress(inTable)} follow={() => go(inTable)}>
            Show them as a table
          </Link>
        </p>
      )}
      {isDone && !results.length && <NothingFound job={job} state={state} go={go} />}
      <ol class="answers">
        {results.map((answer) => (
          <AnswerCard key={answer.id} answer={answer} searchId={job.id} to={{ ...onMap, project: answer.id }} go={go} />
        ))}
      </ol>
    </section>
  );
}
