/** The tab of odds: outcomes of the matching projects and days to decision, by body, use or request. */
import { describeOdds } from '../../../core/domain/oddsText.ts';
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
  NOT_SHOWN,
  ODDS_BY,
  type OddsBy,
  type OddsFigures,
  type OddsRow,
  OUTCOMES,
  oddsBy,
  oddsRequest,
  oddsRows,
  percentText,
  shareText,
  stepsOf,
} from './figures.ts';
import { PlaceChoice } from './placeChoice.tsx';

/** More lines cannot be told apart. */
const CURVES_MAX = 4;

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

const sharesHeads = (by: OddsBy) => [by.label, 'Decided', 'Given up', 'Pending', ...OUTCOMES.map(({ label }) => label), 'Other'];
const sharesCells = ({ label, figures }: OddsRow) => [
  label,
  countText(figures.decided),
  countText(figures.givenUp),
  countText(figures.undecided),
  ...OUTCOMES.map(({ token }) => shareText(figures, token)),
  shareText(figures, 'other'),
];

const KeyFigures = ({ figures }: { figures: OddsFigures }) => {
  const hearings = figures.hearingsToDecision?.p50;
  const rows = {
    Approved: figures.outcomes.approved === null ? NOT_SHOWN : percentText(figures.outcomes.approved),
    Decided: countText(figures.decided),
    'Given up': countText(figures.givenUp),
    Pending: countText(figures.undecided),
    'Days until half are decided': halfText(figures),
    'Hearings until half are decided': hearings == null ? NOT_SHOWN : number(hearings),
  };
  return <Definitions class="odds-figures" rows={Object.entries(rows)} />;
};

function CsvFile({ name, rows }: { name: string; rows: readonly string[][] }) {
  return (
    <Problems>
      <p class="chart-files">
        <span class="note">Download</span>
        <Action kind="small quiet" work={async () => saveText(csvOf(rows), 'text/csv', name)}>
          CSV
        </Action>
      </p>
      <ProblemNotice />
    </Problems>
  );
}

interface CardProps {
  rows: readonly OddsRow[];
  by: OddsBy;
}

function Shares({ rows, by, notes, linkOf }: CardProps & { notes: readonly string[]; linkOf: LinkOfRow }) {
  const title = `What becomes of them, by ${by.label.toLowerCase()}`;
  const heads = sharesHeads(by);
  const cells = rows.map(sharesCells);
  return (
    <section class="card chart odds-wide">
      <h2>{title}</h2>
      <Legend />
      <ShareBars rows={rows} title={title} linkOf={linkOf} />
      <details>
        <summary>Table</summary>
        <Table label={title} heads={heads} numbers={heads.slice(1).map((_, i) => i + 1)} rows={cells} />
      </details>
      <Notes notes={notes} />
      <CsvFile name={`odds-by-${by.dimension}.csv`} rows={[heads, ...cells]} />
    </section>
  );
}

function Days({ rows, by }: CardProps) {
  const title = `Days to decision, by ${by.label.toLowerCase()}`;
  const isOpen = rows.some(({ figures: { daysToDecision: days } }) => days && days.p25 !== null && days.p75 === null);
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
        its mark is the half. {isOpen && 'It is hatched where that is not reached in the time that is known. '}Projects without a decision
        count for as long as they are known to be undecided.
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
  const heads = [by.label, 'Days', 'Undecided'];
  const cells = curves.flatMap(({ label, steps }) => steps.slice(1).map(({ days, share }) => [label, String(days), percentText(share)]));
  return (
    <section class="card chart">
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
        <Table label={title} heads={heads} numbers={[1, 2]} rows={cells} />
      </details>
      <p class="note">
        Each point is exact: so many are undecided after that day, if none is withdrawn or given up. Nothing is said of the days between two
        points. {curves.length > CURVES_MAX && 'The largest groups are drawn; the table has all. '}The estimate is that of Kaplan and Meier.
      </p>
      <CsvFile name={`undecided-by-${by.dimension}.csv`} rows={[heads, ...cells]} />
    </section>
  );
}

const INTERVALS = 'In brackets: the interval of 95 % confidence, in per cent.';
const HIDES = 'Groups with fewer than five decided projects are left out.';
const JOINS =
  'Where records cost credits, outcomes of fewer than five projects are joined with the next smallest: the hatched part of a bar.';
const CUT = 'The groups with most decisions are shown.';

export function Odds() {
  const { state, go } = usePage();
  const by = oddsBy(state.by);
  const body = oddsRequest(by, state.filters);
  const asked = useAnswer(async (signal) => ({ ...(await call('getOdds', { body }, { signal })), by }), [JSON.stringify(body)]);
  const { problem } = asked;
  const current = asked.answer?.by === by ? asked.answer : null;
  const rows = current ? oddsRows(current.data, by) : [];
  const isAnyJoined = rows.some(({ figures }) => figures.other !== null);
  const notes = [INTERVALS, current?.meta.suppressedGroups && HIDES, isAnyJoined && JOINS, current?.meta.truncated && CUT];
  const linkOf: LinkOfRow = ({ change }) => change && linkTo(go, withFilters(state, change));
  return (
    <div class="sheet">
      <h1>Odds</h1>
      <p class="lead">
        What has become of the projects that match the filters, and how long it took. {windowNote(state.filters)}Free of charge.
      </p>
      <div class="row">
        <Select
          id="odds-by"
          label="By"
          class="chart-measure"
          value={by.dimension}
          options={ODDS_BY.map(({ dimension, label }) => ({ value: dimension, label }))}
          onChange={(dimension) => go({ ...state, by: dimension === ODDS_BY[0].dimension ? null : dimension })}
        />
        <PlaceChoice />
      </div>
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
          {current?.data.totals && (
            <>
              <p class="odds-words">{describeOdds(current.data.totals)}</p>
              <KeyFigures figures={current.data.totals} />
            </>
          )}
          <div class="grid">
            <Shares {...{ rows, by, linkOf }} notes={notes.filter((note) => typeof note === 'string')} />
            <Days rows={rows} by={by} />
            <Undecided rows={rows} by={by} />
          </div>
        </>
      )}
    </div>
  );
}
