/** Column and bar charts as SVG at the width of their element. A mark that selects projects is a link. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Drawing, Hatch, type MarkLink, UNSPOKEN, useWidth } from '../shared/drawing.tsx';
import { axisLabel, type ChartPoint, figureText, HIDDEN } from '../shared/facets.ts';
import { Link } from '../shared/links.tsx';
import { shortNumber } from '../shared/words.ts';

export type LinkOfPoint = (point: ChartPoint) => MarkLink | null;

interface DrawingProps {
  points: readonly ChartPoint[];
  /** of the whole drawing, for screen readers */
  title: string;
  linkOf: LinkOfPoint;
}

const valueText = ({ value, words }: ChartPoint) => words ?? figureText(value ?? 0);

/** A link around the shapes of a point, or only a group of them. */
function Mark({ point, linkOf, children }: { point: ChartPoint; linkOf: LinkOfPoint; children: ComponentChildren }) {
  const link = linkOf(point);
  const text = `${point.label}: ${valueText(point)}`;
  if (!link)
    return (
      <g class="mark">
        <title>{text}</title>
        {children}
      </g>
    );
  return (
    <Link class="mark" {...link} aria-label={`${text}. Show only these`}>
      <title>{text}</title>
      {children}
    </Link>
  );
}

const STEPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The axis' maximum: a round number at or above `most` whose half is whole. */
function scaleOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return STEPS.map((times) => times * power).find((top) => top >= most && top % 2 === 0) ?? most;
}

const valuesOf = (points: readonly ChartPoint[]) => points.map(({ value }) => value ?? 0);

const [HEIGHT, LEFT, TOP, BOTTOM, STUB] = [230, 46, 10, 26, 16];
const LABEL_WIDTH = 54;

/** Time from left to right. A hidden month is a hatched stub. */
export function Columns({ points, title, linkOf, interval }: DrawingProps & { interval: 'month' | 'week' }) {
  const { holder, width } = useWidth();
  const hatch = useId();
  const top = scaleOf(Math.max(...valuesOf(points)));
  const base = HEIGHT - BOTTOM;
  const y = (value: number) => TOP + (base - TOP) * (1 - value / top);
  const wide = (width - LEFT) / points.length;
  const every = Math.ceil(LABEL_WIDTH / wide);
  const hides = points.some(({ isHidden }) => isHidden);
  return (
    <div ref={holder}>
      <Drawing width={width} height={HEIGHT + (hides ? 22 : 0)} title={title}>
        <Hatch id={hatch} />
        <g>
          {[0, top / 2, top].map((value) => (
            <g key={value}>
              <line class="line" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
              <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
                {shortNumber(value)}
              </text>
            </g>
          ))}
        </g>
        {points.map((point, i) => {
          const x = LEFT + i * wide;
          const tall = point.isHidden ? STUB : base - y(point.value ?? 0);
          return (
            <Mark key={point.label} point={point} linkOf={linkOf}>
              <rect class="reach" x={x} y={TOP} width={wide} height={base - TOP} />
              {(point.isHidden || (point.value ?? 0) > 0) && (
                <rect
                  class={point.isHidden ? 'hidden-stub' : 'amount'}
                  fill={point.isHidden ? `url(#${hatch})` : undefined}
                  x={x + wide * 0.14}
                  width={wide * 0.72}
                  y={base - Math.max(1, tall)}
                  height={Math.max(1, tall)}
                  rx="2"
                />
              )}
            </Mark>
          );
        })}
        <g {...UNSPOKEN}>
          {points.map(
            ({ key, label }, i) =>
              i % every === 0 &&
              LEFT + i * wide + LABEL_WIDTH / 2 <= width && (
                <text key={label} x={LEFT + (i + 0.5) * wide} y={base + 18} text-anchor="middle">
                  {typeof key === 'string' ? axisLabel(key, interval) : label}
                </text>
              ),
          )}
        </g>
        {hides && (
          <g>
            <rect class="hidden-stub" fill={`url(#${hatch})`} x={LEFT} y={HEIGHT + 6} width="14" height="12" />
            <text x={LEFT + 20} y={HEIGHT + 16}>
              {HIDDEN}
            </text>
          </g>
        )}
      </Drawing>
    </div>
  );
}

const BAR_STUB = 36;
const [NARROW, NAME_WIDTH, VALUE_WIDTH, CHARACTER] = [460, 200, 66, 7.6];

const cutTo = (text: string, width: number) => {
  const most = Math.floor(width / CHARACTER);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

/** Bars with their names, beside them or, on a narrow screen, above. @param given `most`: the value of a full bar, equal in charts that are compared */
export function Bars({ points, title, linkOf, most = Math.max(...valuesOf(points)) }: DrawingProps & { most?: number | undefined }) {
  const { holder, width } = useWidth();
  const hatch = useId();
  const isNarrow = width < NARROW;
  const [left, step, drop] = isNarrow ? [0, 42, 20] : [NAME_WIDTH, 28, 6];
  const full = width - left - VALUE_WIDTH;
  return (
    <div ref={holder}>
      <Drawing width={width} height={points.length * step + 2} title={title}>
        <Hatch id={hatch} />
        {points.map((point, i) => {
          const y = i * step;
          const long = point.isHidden ? BAR_STUB : Math.max(2, (full * (point.value ?? 0)) / (most || 1));
          return (
            <Mark key={`${point.key}${point.label}`} point={point} linkOf={linkOf}>
              <rect class="reach" x="0" y={y} width={width} height={step} />
              <rect class="track" x={left} y={y + drop} width={full} height="16" rx="3" />
              <rect
                class={point.isHidden ? 'hidden-stub' : 'amount'}
                fill={point.isHidden ? `url(#${hatch})` : undefined}
                x={left}
                y={y + drop}
                width={long}
                height="16"
                rx="3"
              />
            </Mark>
          );
        })}
        <g class="labels" {...UNSPOKEN}>
          {points.map((point, i) => (
            <g key={`${point.key}${point.label}`}>
              <text class="bar-name" x="0" y={i * step + (isNarrow ? 14 : 18)}>
                {cutTo(point.label, isNarrow ? width : NAME_WIDTH - 12)}
              </text>
              {point.isHidden ? (
                <text x={left + BAR_STUB + 8} y={i * step + drop + 12}>
                  {point.words}
                </text>
              ) : (
                <text class="bar-value" x={width} y={i * step + drop + 12} text-anchor="end">
                  {valueText(point)}
                </text>
              )}
            </g>
          ))}
        </g>
      </Drawing>
    </div>
  );
}
