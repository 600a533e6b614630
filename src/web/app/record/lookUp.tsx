/** A look-up of a record's contacts: what it costs, then the look-up, then what it brought. */
import { useState } from 'preact/hooks';
import type { ContactsJob } from '../shared/answers.ts';
import { lookUpContacts } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { Action, ProblemNotice, Problems } from '../shared/ui.tsx';
import { useStop } from '../shared/useAnswer.ts';
import { countInWords } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';

function wordsOfResult({ found, creditsCharged, skipped }: ContactsJob): string {
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
  const { account, onSpent } = usePage();
  const { readAgain } = useProofs();
  const [result, setResult] = useState<string | null>(null);
  const stop = useStop();
  const credits = account.contactCreditRate;
  const run = async () => {
    const job = await lookUpContacts([id], credits, stop);
    setResult(wordsOfResult(job));
    if (job.creditsCharged) onSpent();
    readAgain();
  };
  return (
    <div class="look-up">
      <Problems>
        <ProblemNotice />
        {result && <p role="status">{result}</p>}
        {isUnlocked && !result && <p class="note">Your team has looked these contacts up.</p>}
        {!isUnlocked && !result && (
          <>
            <Action kind="small" work={run}>
              Find email and phone{credits > 0 && ` (${countInWords(credits, 'credit')} at most)`}
            </Action>
            <p class="note">{wordsOfPrice(credits)}</p>
          </>
        )}
      </Problems>
    </div>
  );
}
