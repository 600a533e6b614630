/** A look-up of a record's contacts: what it costs, then the look-up, then what it brought. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type DataOf, FailedRequest, spendHeaders } from '../shared/api.ts';
import { pollJob } from '../shared/jobs.ts';
import { Action, Notice } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';

type Enrichment = DataOf<'getEnrichment'>;

/** @param credits that it may cost at most @throws FailedRequest if the job failed */
async function lookUp(id: number, credits: number, signal: AbortSignal): Promise<Enrichment> {
  const accepted: Enrichment = (await ask('/enrichments', { method: 'POST', body: { projectIds: [id] }, headers: spendHeaders(credits) }))
    .data;
  const job = await pollJob<Enrichment>(`/enrichments/${accepted.id}`, ({ settledAt }) => settledAt !== null, signal);
  if (job.error) throw new FailedRequest({ ...job.error, remedy: 'Nothing was charged. Try again later.' });
  return job;
}

function wordsOfResult({ found, creditsCharged, skipped }: Enrichment): string {
  if (skipped.alreadyEnriched.length) return 'Your team looked these contacts up within the last 90 days.';
  if (!found) return 'Nothing was found, and nothing was charged.';
  return `Found. ${creditsCharged ? `${countInWords(creditsCharged, 'credit')} charged.` : 'Nothing was charged.'}`;
}

/** The price in words, before it is paid. @param credits that a look-up costs at most */
const wordsOfPrice = (credits: number) =>
  credits > 0
    ? `${countInWords(credits, 'credit')} at most, charged only if your team gets an email or phone of this project for the first time.`
    : 'Included in your plan: no credit, and one attempt of those that it has.';

/** @param given `isUnlocked`: the team has what a look-up of this record found */
export function LookUp({ id, isUnlocked }: { id: number; isUnlocked: boolean }) {
  const { account, readAgain, onSpent } = useProofs();
  const [result, setResult] = useState<string | null>(null);
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const credits = account.contactCreditRate;
  const run = async () => {
    const job = await lookUp(id, credits, stop.current.signal);
    setResult(wordsOfResult(job));
    if (job.creditsCharged) onSpent();
    readAgain();
  };
  return (
    <div class="look-up">
      {problem && <Notice problem={problem} />}
      {result && <p role="status">{result}</p>}
      {isUnlocked && !result && <p class="note">Your team has looked these contacts up.</p>}
      {!isUnlocked && !result && (
        <>
          <Action kind="small" work={run} onProblem={setProblem}>
            Find email and phone{credits > 0 && ` (${countInWords(credits, 'credit')} at most)`}
          </Action>
          <p class="note">{wordsOfPrice(credits)}</p>
        </>
      )}
    </div>
  );
}
