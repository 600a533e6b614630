/** The tab that answers a question in plain words with records that quotes prove. */

import { useLayoutEffect, useState } from 'preact/hooks';
import { CriteriaWords } from '../shared/criteria.tsx';
import { Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { asProblem, type FailedRequest } from '../shared/problems.ts';
import { submitQuestion, USUAL_LIMIT } from '../shared/questions.ts';
import type { PageState } from '../shared/state.ts';
import { Button, Loading, MoreCredits, Notice, SmallButton } from '../shared/ui.tsx';
import { Answers, QuestionProgress } from './answers.tsx';
import { SilentFields } from './missing.tsx';
import { priceInWords } from './question.ts';
import { Reading } from './reading.tsx';
import { useQuestion } from './useQuestion.ts';

const CHARACTERS_MAX = 500;
const LIMITS = [5, 10, 25, 50, 100];
const EXAMPLE = 'townhomes that were continued because of drainage';

interface QuestionFormProps {
  question: string;
  limit: number;
  price: string;
  busy: boolean;
  onQuestion: (question: string) => void;
  onLimit: (limit: number) => void;
  onAsk: () => void;
}

function QuestionForm({ question, limit, price, busy, onQuestion, onLimit, onAsk }: QuestionFormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (question.trim() && !busy) onAsk();
  };
  return (
    <form class="card question" onSubmit={submit}>
      <div class="field">
        <label for="question">Your question</label>
        <textarea
          id="question"
          rows={2}
          maxLength={CHARACTERS_MAX}
          placeholder={EXAMPLE}
          value={question}
          onInput={({ currentTarget }) => onQuestion(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
        />
      </div>
      <div class="row">
        <Select
          id="answers-most"
          label="Answers at most"
          value={String(limit)}
          options={LIMITS.map((one) => ({ value: String(one), label: String(one) }))}
          onChange={(most) => onLimit(Number(most))}
        />
        <button type="submit" class="primary" disabled={busy || !question.trim()}>
          Ask
        </button>
      </div>
      <p class="note question-price">{price}</p>
    </form>
  );
}

/** A refused question, with a smaller one that the balance covers. */
function Refusal({ problem, onFewer }: { problem: FailedRequest; onFewer: (limit: number) => void }) {
  const affordable = problem.details?.quote?.affordableRecordCount ?? 0;
  return (
    <>
      <Notice problem={problem} />
      {affordable > 0 && (
        <p>
          <Button onClick={() => onFewer(affordable)}>Ask for {affordable} at most</Button>
        </p>
      )}
    </>
  );
}

/** The question in the box, what of it is being asked, and how to ask. */
function useAsking() {
  const { state, go } = usePage();
  const [question, setQuestion] = useState(state.question ?? '');
  const [limit, setLimit] = useState(USUAL_LIMIT);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  useLayoutEffect(() => setQuestion(state.question ?? ''), [state.question]);
  const submit = async (next: PageState, most = limit) => {
    setBusy(true);
    setProblem(null);
    try {
      const asked = { query: next.question ?? '', filters: next.filters, limit: most };
      go({ ...next, job: await submitQuestion(asked) });
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { question, setQuestion, limit, setLimit, busy, problem, submit };
}

export function Ask() {
  const { state, go, account, onSpent } = usePage();
  const { question, setQuestion, limit, setLimit, busy, problem, submit } = useAsking();
  const isMetered = account.creditRate > 0;
  const { job, warnings, problem: lost, cancel } = useQuestion(state.job, (settled) => settled.creditsReserved > 0 && onSpent());
  const ask = (most = limit) => submit({ ...state, tab: 'ask', question: question.trim() }, most);
  const askFewer = (most: number) => {
    setLimit(most);
    ask(most);
  };
  const change = (changed: string) => {
    const next = { ...state, question: changed, job: null };
    if (isMetered || !changed) go(next);
    else submit(next);
  };
  const consequence = isMetered ? 'A change writes another question, to ask with the button.' : 'A change asks again.';
  return (
    <div class="sheet">
      <h1>Ask</h1>
      <p class="lead">
        Ask in plain words. Each answer is a record whose own text proves every part of the question, with the quotes that do. Answers can
        be relied on, and are not always all.
      </p>
      <QuestionForm
        {...{ question, limit, busy }}
        price={priceInWords(account.creditRate, limit, account.balance)}
        onQuestion={setQuestion}
        onLimit={setLimit}
        onAsk={() => ask()}
      />
      <SilentFields question={question} />
      {isMetered && account.balance < account.creditRate * limit && (
        <p class="note">
          <MoreCredits />
        </p>
      )}
      {Object.keys(state.filters).length > 0 && (
        <p class="note">
          Only records that match the filters of the page: <CriteriaWords filters={state.filters} />.{' '}
          <SmallButton onClick={() => go({ ...state, filters: {} })}>Ask about all records</SmallButton>
        </p>
      )}
      {problem && <Refusal problem={problem} onFewer={askFewer} />}
      {lost &&
        (lost.status === 404 ? (
          <p class="empty">These answers are no longer kept: they can be read for 72 hours, by the team that asked. Ask again.</p>
        ) : (
          <Notice problem={lost} />
        ))}
      {state.job && !job && !lost && <Loading />}
      {job && job.settledAt === null && <QuestionProgress job={job} cancel={cancel} />}
      {job?.settledAt && <Reading job={job} warnings={warnings} consequence={consequence} onChange={change} />}
      {job?.settledAt && <Answers job={job} />}
    </div>
  );
}
