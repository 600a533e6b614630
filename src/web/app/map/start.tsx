/** What is here, what is new since the last visit, what the plan may do, and examples: above the list, as long as nothing is filtered. */
import { useState } from 'preact/hooks';
import { browserStorage } from '../../shared/storage.ts';
import { call } from '../shared/api.ts';
import { DAYS } from '../shared/facets.ts';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { type ReaderAccount, usePage } from '../shared/page.ts';
import { submitQuestion, USUAL_LIMIT } from '../shared/questions.ts';
import type { PageState } from '../shared/state.ts';
import { Button, Pending, ProblemNotice, Problems, SmallAction } from '../shared/ui.tsx';
import { countInWords, date, number } from '../shared/words.ts';

/** Where a browser keeps when its reader was here, and what was here then. */
const KEPT_VISIT = 'landuse-visit';
/** Loads of the page within this time are one visit. */
const VISIT_MS = 3_600_000;

interface Figures {
  records: number | null;
  newestMeeting: string | null;
  states: number;
  bodies: number;
  silentBodies: number;
  /** the day of the newest statement */
  extractedOn: string | null;
}

interface KeptVisit {
  teamId: number;
  at: number;
  /** the visit before that one; null for the first */
  before: number | null;
  /** of the figures */
  generation?: number | undefined;
  figures?: Figures;
}

function readVisit({ teamId }: ReaderAccount): KeptVisit {
  const now = Date.now();
  try {
    const kept: KeptVisit = JSON.parse(browserStorage.getItem(KEPT_VISIT) ?? '');
    if (kept.teamId === teamId) return { ...kept, at: now, before: now - kept.at > VISIT_MS ? kept.at : kept.before };
  } catch {
    // Nothing is kept yet, or by another version of the page.
  }
  return { teamId, at: now, before: null };
}

const keepVisit = (visit: KeptVisit) => browserStorage.setItem(KEPT_VISIT, JSON.stringify(visit));

async function readFigures(signal: AbortSignal): Promise<Figures> {
  const [{ data: byState }, { data: byBody }] = await Promise.all([
    call('getCoverage', { groupBy: ['state'] }, { signal }),
    call('getCoverage', { by: 'body' }, { signal }),
  ]);
  const newestOf = (days: (string | null | undefined)[]) => days.reduce<string | null>((a, b) => (b && (!a || b > a) ? b : a), null);
  return {
    records: byState.totals?.records ?? null,
    newestMeeting: byState.totals?.newestMeeting ?? null,
    states: byState.groups.length,
    bodies: byBody.groups.length,
    silentBodies: byBody.groups.filter(({ staleSince }) => staleSince).length,
    extractedOn: newestOf(byBody.groups.map(({ lastExtractedAt }) => lastExtractedAt)),
  };
}

const FiguresInWords = ({ figures: { records, newestMeeting, states, bodies, silentBodies, extractedOn } }: { figures: Figures }) => (
  <p>
    {records !== null && <strong>{number(records)} records</strong>} of {countInWords(bodies, 'decision body', 'decision bodies')} in{' '}
    {countInWords(states, 'state')}
    {newestMeeting && `, newest meeting ${date(newestMeeting)}`}
    {extractedOn && `, read until ${date(extractedOn)}`}.
    {silentBodies > 0 && ` ${countInWords(silentBodies, 'body has', 'bodies have')} not met as expected.`}
  </p>
);

/** What is new since a day. A filter takes days: the whole of that day counts. */
function News({ before, release }: { before: number | null; release: ReaderAccount['release'] }) {
  if (before === null || !release) return null;
  const day = new Date(before).toISOString().slice(0, 10);
  if (Date.parse(release.activatedAt) < before) return <p class="note">Nothing is new since your last visit on {date(day)}.</p>;
  return (
    <p>
      <StateLink to={{ filters: { lastUpdatedFrom: day, dateRange: 'all' }, view: null }}>
        New or changed since your last visit on {date(day)}
      </StateLink>
    </p>
  );
}

const planInWords = ({ plan, creditRate, licence }: ReaderAccount) =>
  [
    `Plan ${plan.label}:`,
    licence.nationwide
      ? 'all states;'
      : `${countInWords(licence.stateIds?.length || licence.countyIds?.length || 0, 'place')} of your licence;`,
    creditRate ? `a record that your team reads for the first time costs ${countInWords(creditRate, 'credit')};` : 'records are free;',
    'counts, charts and this map are free.',
  ].join(' ');

const EXAMPLES: readonly { text: string; to: Partial<PageState> }[] = [
  {
    text: 'Apartments that were approved',
    to: { filters: { propertySubtypes: 'multifamily', status: 'approved,approved_with_conditions' } },
  },
  { text: 'Days to a decision, by state', to: { tab: 'charts', metric: DAYS.name, filters: { dateRange: 'all' } } },
];

const QUESTION = 'apartments with a traffic study';

/** Asks at once where answers are free; otherwise it leads to the question and its price. */
function ExampleQuestion() {
  const { state, go, account } = usePage();
  const ask = async () => {
    const job = account.creditRate ? null : await submitQuestion({ query: QUESTION, filters: state.filters, limit: USUAL_LIMIT });
    go({ ...state, tab: 'ask', question: QUESTION, job });
  };
  return (
    <Problems>
      <SmallAction work={ask}>Ask: {QUESTION}</SmallAction>
      <ProblemNotice />
    </Problems>
  );
}

export function Start() {
  const { account } = usePage();
  const [visit] = useState(() => readVisit(account));
  // A trial has few requests: its reader asks for the figures by a button.
  const [isAsked, setIsAsked] = useState(account.plan.paid);
  const generation = account.release?.generation;
  const asked = useAnswer(
    async (signal) => {
      const known = visit.figures && visit.generation === generation ? visit.figures : undefined;
      if (!known) keepVisit(visit);
      if (!known && !isAsked) return undefined;
      const figures = known ?? (await readFigures(signal));
      keepVisit({ ...visit, generation, figures });
      return figures;
    },
    [isAsked],
  );
  return (
    <section class="start" aria-label="What is here">
      {asked.answer && <FiguresInWords figures={asked.answer} />}
      {!isAsked && !asked.answer && <Button onClick={() => setIsAsked(true)}>What is here</Button>}
      {isAsked && asked.answer === null && <Pending asked={asked} what="Reading what is here" />}
      <News before={visit.before} release={account.release} />
      <p class="note">
        Below are meetings of the last year. <StateLink to={{ filters: { dateRange: 'all' } }}>Show every year</StateLink>
      </p>
      <p class="note">{planInWords(account)}</p>
      <p class="note">Try:</p>
      <ul class="chips">
        {EXAMPLES.map(({ text, to }) => (
          <li key={text}>
            <StateLink to={to}>{text}</StateLink>
          </li>
        ))}
        <li>
          <ExampleQuestion />
        </li>
      </ul>
    </section>
  );
}
