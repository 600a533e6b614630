/** The tab of odds: outcomes of the matching projects and days to decision, by body, use or request. */
import { call } from '../shared/api.ts';
import { csvOf, saveText } from '../shared/files.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Select } from '../shared/inputs.tsx';
import { linkTo } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { withFilters } from '../shared/state.ts';
import { Action, Definitions, Empty, Notes, Pending, ProblemNotice, Problems, Table } from '../shared/ui.tsx';
import { number, windowNote } from '../shared/words.ts';
import { Curves, DayRanges, type LinkOfRow, ShareBars } from './drawing.tsx';
import {
  countText,
  daysText,
  halfText,
  ODDS_BY,
  type OddsBy,
  type OddsFigures,
  type OddsRow,
  OUTCOMES,
  oddsBy,
  oddsRequest,
  oddsRows,
  shareAfter,
  shareText,
  stepsOf,
} from './figures.ts';

/** More lines cannot be told apart. */
const CURVES_MAX = 4;
const YEAR_QUARTERS = [30, 90, 180, 365];

const Legend = () => (
  <ul class="odds-legend">
    {OUTCOMES.map(({ token, label }) => (
      <li key={token}>
        <span class={`swatch ${token}`} aria-hidden="true" />
        {label}
      </li>
    ))}
  </ul>
);

const sharesHeads = (by: OddsBy) => [by.label, 'Decided', 'Given up', 'Pending', ...OUTCOMES.map(({ label }) => label)];
const sharesCells = ({ label, figures }: OddsRow) => [
  label,
  countText(figures.decided),
  countText(figures.givenUp),
  countText(figures.undecided),
  ...OUTCOMES.map(({ token }) => shareText(figures.outcomes[token])),
];

const KeyFigures = ({ figures }: { figures: OddsFigures }) => {
  const hearings = figures.hearingsToDecision?.p50;
  const rows = {
    Approved: shareText(figures.outcomes.approved),
    Decided: number(figures.decided),
    'Given up': countText(figures.givenUp),
    Pending: countText(figures.undecided),
    'Days until half are decided': halfText(figures),
    'Hearings until half are decided': hearings == null ? 'not shown' : number(hearings),
  };
  return <Definitions class="odds-figures" rows={Object.entries(rows)} />;
};

interface CardProps {
  rows: readonly OddsRow[];
  by: OddsBy;
}

function Shares({ rows, by, notes, linkOf }: CardProps & { notes: readonly string[]; linkOf: LinkOfRow }) {
  const title = `What becomes of them, by ${by.label.toLowerCase()}`;
  const heads = sharesHeads(by);
  const cells = rows.map(sharesCells);
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <Legend />
      <ShareBars rows={rows} title={title} linkOf={linkOf} />
      <details>
        <summary>Table</summary>
        <Table label={title} heads={heads} numbers={heads.slice(1).map((_, i) => i + 1)} rows={cells} />
      </details>
      <Notes notes={notes} />
      <Problems>
        <p class="chart-files">
          <Action kind="small quiet" work={async () => saveText(csvOf([heads, ...cells]), 'text/csv', `odds-by-${by.dimension}.csv`)}>
            CSV
          </Action>
        </p>
        <ProblemNotice />
      </Problems>
    </section>
  );
}

function Days({ rows, by }: CardProps) {
  const title = `Days to decision, by ${by.label.toLowerCase()}`;
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <DayRanges rows={rows} title={title} />
      <details>
        <summary>Table</summary>
        <Table
          label={title}
          heads={[by.label, 'Days until half, a quarter and three quarters are decided']}
          rows={rows.map(({ label, figures }) => [label, daysText(figures)])}
        />
      </details>
      <p class="note">
        From the first hearing to the vote. A bar goes from the day by which a quarter is decided to the day by which three quarters are;
        its mark is the half. Projects without a decision count for as long as they are known to be undecided.
      </p>
    </section>
  );
}

function Undecided({ rows, by }: CardProps) {
  const title = 'Undecided after so many days';
  const curves = rows.flatMap(({ label, figures }) => {
    const steps = stepsOf(figures);
    return steps ? [{ label, steps }] : [];
  });
  const drawn = curves.slice(0, CURVES_MAX);
  if (!drawn.length) return null;
  return (
    <section class="card chart odds-curves">
      <h2>{title}</h2>
      <ul class="odds-legend">
        {drawn.map(({ label }, i) => (
          <li key={label}>
            <svg class="curve-key" viewBox="0 0 28 8" aria-hidden="true">
              <path class={`curve curve-${i}`} d="M0 4H28" />
            </svg>
            {label}
          </li>
        ))}
      </ul>
      <Curves curves={drawn} title={title} />
      <details>
        <summary>Table</summary>
        <Table
          label={title}
          heads={[by.label, ...YEAR_QUARTERS.map((days) => `After ${days} days`)]}
          numbers={YEAR_QUARTERS.map((_, i) => i + 1)}
          rows={curves.map(({ label, steps }) => [label, ...YEAR_QUARTERS.map((days) => shareText(shareAfter(steps, days)))])}
        />
      </details>
      <p class="note">
        Each step has five decisions or more. {curves.length > CURVES_MAX && 'The largest groups are drawn; the table has all. '}The
        estimate is that of Kaplan and Meier.
      </p>
    </section>
  );
}

const HIDES =
  'Groups with fewer than five decided projects are left out, and so is every number that would tell of fewer than five; a hatched part of a bar holds them.';
const CUT = 'The groups with most decisions are shown.';

export function Odds() {
  const { state, go } = usePage();
  const by = oddsBy(state.by);
  const body = oddsRequest(by, state.filters);
  const asked = useAnswer(async (signal) => ({ ...(await call('getOdds', { body }, { signal })), by }), [JSON.stringify(body)]);
  const { problem } = asked;
  const current = asked.answer?.by === by ? asked.answer : null;
  const rows = current ? oddsRows(current.data, by) : [];
  const isAnyHidden = current?.meta.suppressedGroups || rows.some(({ figures }) => Object.values(figures.outcomes).includes(null));
  const notes = [isAnyHidden && HIDES, current?.meta.truncated && CUT].filter((note) => typeof note === 'string');
  const linkOf: LinkOfRow = ({ change }) => change && linkTo(go, withFilters(state, change));
  return (
    <div class="sheet">
      <h1>Odds</h1>
      <p class="lead">
        What has become of the projects that match the filters, and how long it took. {windowNote(state.filters)}Free of charge.
      </p>
      <Select
        id="odds-by"
        label="By"
        class="chart-measure"
        value={by.dimension}
        options={ODDS_BY.map(({ dimension, label }) => ({ value: dimension, label }))}
        onChange={(dimension) => go({ ...state, by: dimension === ODDS_BY[0].dimension ? null : dimension })}
      />
      <Pending asked={{ ...asked, answer: current }} />
      {current && !problem && !rows.length && (
        <Empty>
          {current.meta.suppressedGroups
            ? 'Too few decided projects to show any odds: each group needs five.'
            : 'Nothing matches the filters.'}
        </Empty>
      )}
      {!problem && rows.length > 0 && (
        <>
          {current?.data.totals && <KeyFigures figures={current.data.totals} />}
          <div class="grid">
            <Shares {...{ rows, by, notes, linkOf }} />
            <Days rows={rows} by={by} />
          </div>
          <Undecided rows={rows} by={by} />
        </>
      )}
    </div>
  );
}
