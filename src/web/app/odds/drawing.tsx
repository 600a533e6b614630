/** Shares as bars, days as ranges, curves as steps: SVG at the width that it has. Each has a table beside it with its numbers. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Drawing, Hatch, type MarkLink, UNSPOKEN, useWidth } from '../shared/drawing.tsx';
import { Link } from '../shared/links.tsx';
import { type CurveStep, daysText, dayTicks, type OddsRow, percentText, segmentsOf, shareOfApproved } from './figures.ts';

/** Where the name of a row leads: to the odds of its projects alone. */
export type LinkOfRow = (row: OddsRow) => MarkLink | null;

const [NAME_HEIGHT, BAR, STEP, AXIS] = [18, 16, 48, 24];

function RowName({ row, y, linkOf, children }: { row: OddsRow; y: number; linkOf: LinkOfRow; children: ComponentChildren }) {
  const link = linkOf(row);
  const text = (
    <text class="bar-name" x="0" y={y + 13}>
      {children}
    </text>
  );
  if (!link) return text;
  return (
    <Link class="mark" {...link} aria-label={`${row.label}. Show only these`}>
      {text}
    </Link>
  );
}

/** The outcomes of each row, one bar a row. */
export function ShareBars({ rows, title, linkOf }: { rows: readonly OddsRow[]; title: string; linkOf: LinkOfRow }) {
  const { holder, width } = useWidth();
  const hatch = useId();
  return (
    <div ref={holder}>
      <Drawing width={width} height={rows.length * STEP} title={title}>
        <Hatch id={hatch} />
        {rows.map((row, i) => {
          const y = i * STEP;
          let from = 0;
          return (
            <g key={row.label}>
              <RowName row={row} y={y} linkOf={linkOf}>
                {row.label}
                <tspan class="beside"> · {shareOfApproved(row.figures)}</tspan>
              </RowName>
              {segmentsOf(row.figures).map(({ token, label, share }) => {
                const x = from * width;
                from += share;
                return (
                  <rect
                    key={token}
                    class={token === 'other' ? 'hidden-stub' : `outcome ${token}`}
                    fill={token === 'other' ? `url(#${hatch})` : undefined}
                    x={x}
                    y={y + NAME_HEIGHT}
                    width={Math.max(1, share * width - 1)}
                    height={BAR}
                  >
                    <title>{`${row.label}, ${label}: ${percentText(share)}`}</title>
                  </rect>
                );
              })}
            </g>
          );
        })}
      </Drawing>
    </div>
  );
}

/** Room for the label of the last day; others that would reach into it are left out. */
const LAST_LABEL_WIDTH = 76;

function DayAxis({ ticks, x, top, base }: { ticks: readonly number[]; x: (days: number) => number; top: number; base: number }) {
  const end = ticks.at(-1) ?? 0;
  const isLast = (i: number) => i === ticks.length - 1;
  return (
    <g {...UNSPOKEN}>
      {ticks.map((days, i) => (
        <g key={days}>
          <line class="line" x1={x(days)} x2={x(days)} y1={top} y2={base} />
          {(isLast(i) || x(end) - x(days) > LAST_LABEL_WIDTH) && (
            <text x={x(days)} y={base + 16} text-anchor={i === 0 ? 'start' : isLast(i) ? 'end' : 'middle'}>
              {isLast(i) ? `${days} days` : days}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** The days by which a quarter, half and three quarters of each row are decided, on one scale; hatched from the last one that is reached. */
export function DayRanges({ rows, title }: { rows: readonly OddsRow[]; title: string }) {
  const { holder, width } = useWidth();
  const hatch = useId();
  const most = Math.max(1, ...rows.flatMap(({ figures: { daysToDecision: days } }) => [days?.p25 ?? 0, days?.p50 ?? 0, days?.p75 ?? 0]));
  const ticks = dayTicks(most);
  const end = ticks.at(-1) as number;
  const x = (days: number) => (days / end) * (width - 8) + 4;
  const height = rows.length * STEP;
  return (
    <div ref={holder}>
      <Drawing width={width} height={height + AXIS} title={title}>
        <Hatch id={hatch} />
        <DayAxis ticks={ticks} x={x} top={0} base={height} />
        {rows.map(({ label, figures }, i) => {
          const y = i * STEP + NAME_HEIGHT + BAR / 2;
          const days = figures.daysToDecision;
          const until = days?.p75 ?? days?.p50 ?? days?.p25 ?? null;
          const bar = (from: number, to: number) => ({ x: x(from), y: y - BAR / 2, width: Math.max(2, x(to) - x(from)), height: BAR });
          return (
            <g key={label}>
              <text class="bar-name" x="0" y={i * STEP + 13} {...UNSPOKEN}>
                {label}
              </text>
              {days && days.p25 !== null && until !== null && (
                <g>
                  <title>{`${label}: ${daysText(figures)}`}</title>
                  <rect class="amount" {...bar(days.p25, until)} />
                  {days.p75 === null && <rect class="hidden-stub" fill={`url(#${hatch})`} {...bar(until, end)} />}
                  {days.p50 !== null && <line class="half" x1={x(days.p50)} x2={x(days.p50)} y1={y - BAR / 2} y2={y + BAR / 2} />}
                </g>
              )}
              {until === null && (
                <text x="0" y={y + 4} {...UNSPOKEN}>
                  {daysText(figures)}
                </text>
              )}
            </g>
          );
        })}
      </Drawing>
    </div>
  );
}

const [CURVE_HEIGHT, LEFT, TOP] = [240, 44, 8];
const HALF_AND_ALL = [0, 0.25, 0.5, 0.75, 1];

/** Shares undecided by days, a line each. */
export function Curves({ curves, title }: { curves: readonly { label: string; steps: readonly CurveStep[] }[]; title: string }) {
  const { holder, width } = useWidth();
  const ticks = dayTicks(Math.max(1, ...curves.map(({ steps }) => steps.at(-1)?.days ?? 0)));
  const end = ticks.at(-1) as number;
  const x = (days: number) => LEFT + (days / end) * (width - LEFT - 4);
  const y = (share: number) => TOP + (1 - share) * (CURVE_HEIGHT - TOP);
  const pathOf = (steps: readonly CurveStep[]) =>
    steps.map(({ days, share }, i) => (i === 0 ? `M${x(days)} ${y(share)}` : `H${x(days)}V${y(share)}`)).join('');
  return (
    <div ref={holder}>
      <Drawing width={width} height={CURVE_HEIGHT + AXIS} title={title}>
        <g {...UNSPOKEN}>
          {HALF_AND_ALL.map((share) => (
            <g key={share}>
              <line class="line" x1={LEFT} x2={width} y1={y(share)} y2={y(share)} />
              <text x={LEFT - 8} y={y(share) + 4} text-anchor="end">
                {`${100 * share} %`}
              </text>
            </g>
          ))}
        </g>
        <DayAxis ticks={ticks} x={x} top={TOP} base={CURVE_HEIGHT} />
        {curves.map(({ label, steps }, i) => (
          <path key={label} class={`curve curve-${i}`} d={pathOf(steps)}>
            <title>{label}</title>
          </path>
        ))}
      </Drawing>
    </div>
  );
}
