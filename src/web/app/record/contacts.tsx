/** The people and companies of a record, and the look-up of how to reach them. */
import { useState } from 'preact/hooks';
import type { ContactsJob } from '../shared/answers.ts';
import type { ReadRecord } from '../shared/facts.ts';
import { useStop } from '../shared/hooks.ts';
import { lookUpContacts } from '../shared/jobs.ts';
import { usePage } from '../shared/page.ts';
import { ProblemNotice, Problems, SmallAction } from '../shared/ui.tsx';
import { countInWords, joinParts } from '../shared/words.ts';
import { Part } from './parts.tsx';
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
function LookUp({ id, isUnlocked }: { id: number; isUnlocked: boolean }) {
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
            <SmallAction work={run}>Find email and phone{credits > 0 && ` (${countInWords(credits, 'credit')} at most)`}</SmallAction>
            <p class="note">{wordsOfPrice(credits)}</p>
          </>
        )}
      </Problems>
    </div>
  );
}

type Contact = NonNullable<ReadRecord['contacts']>[number];
type Company = NonNullable<ReadRecord['companyEnrichment']>[number];

const isWeb = (url: string | null): url is string => /^https?:\/\//.test(url ?? '');

const WebLink = ({ url, children }: { url: string | null; children: string }) =>
  isWeb(url) ? (
    <a href={url} rel="noreferrer">
      {children}
    </a>
  ) : null;

const Person = ({ person: { name, role, company, title, email, phone, linkedin } }: { person: Contact }) => (
  <li>
    <strong>{name ?? company ?? 'Not named'}</strong>
    <span class="note">{joinParts(role?.replaceAll('_', ' '), title, name && company)}</span>
    {email && (
      <span>
        <a href={`mailto:${email}`}>{email}</a>
      </span>
    )}
    {phone && (
      <span>
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
      </span>
    )}
    <WebLink url={linkedin}>LinkedIn</WebLink>
  </li>
);

const CompanyItem = ({ company: { name, website, mainPhone, linkedin } }: { company: Company }) => (
  <li>
    <strong>{name ?? 'Not named'}</strong>
    <span class="note">{joinParts('Company', mainPhone)}</span>
    <WebLink url={website}>{website?.replace(/^https?:\/\//, '') ?? ''}</WebLink> <WebLink url={linkedin}>LinkedIn</WebLink>
  </li>
);

/** People first, as the record has them; then companies. */
export function Contacts({ record: { id, contacts, companyEnrichment, contactSummary } }: { record: ReadRecord }) {
  const { unlocked, lowConfidenceWithheld } = contactSummary;
  return (
    <Part title="Contacts">
      <ul class="contacts">
        {(contacts ?? []).map((person) => (
          <Person key={`${person.name} ${person.company} ${person.email}`} person={person} />
        ))}
        {(companyEnrichment ?? []).map((company) => (
          <CompanyItem key={`${company.name} ${company.website}`} company={company} />
        ))}
      </ul>
      {!contacts?.length && <p class="note">The filing names nobody.</p>}
      {lowConfidenceWithheld > 0 && <p class="note">{countInWords(lowConfidenceWithheld, 'channel')} withheld: not certain enough.</p>}
      <LookUp id={id} isUnlocked={unlocked} />
    </Part>
  );
}
