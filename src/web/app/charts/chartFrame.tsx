/** A chart on the page: its drawing, its numbers as a table, its files. */
import { useRef } from 'preact/hooks';
import { type ChartPoint, figureText } from '../shared/facets.ts';
import { csvOf, saveFile, saveText } from '../shared/files.ts';
import { Action, Notes, ProblemNotice, Problems, Table } from '../shared/ui.tsx';
import { Bars, Columns, type LinkOfPoint } from './drawing.tsx';
import { fileNameOf, pngOf, standaloneSvg } from './pictures.ts';

interface ChartFrameProps {
  title: string;
  points: readonly ChartPoint[];
  /** of the table: the points, and their values */
  heads: readonly [string, string];
  linkOf: LinkOfPoint;
  /** columns in time; bars without it */
  interval?: 'month' | 'week' | undefined;
  /** the value of a full bar */
  most?: number | undefined;
  notes?: readonly string[];
}

const exactText = (value: number) => String(Math.round(value * 1e6) / 1e6);

/** A row for each point; text instead of a value has its own column. */
const csvRows = ({ heads, points }: Pick<ChartFrameProps, 'heads' | 'points'>): string[][] => [
  [...heads, 'Note'],
  ...points.map(({ label, value, words }) => [label, value === null ? '' : exactText(value), words ?? '']),
];

export function ChartFrame({ title, points, heads, linkOf, interval, most, notes = [] }: ChartFrameProps) {
  const card = useRef<HTMLElement>(null);
  const name = fileNameOf(title);
  const drawn = () => {
    const svg = card.current?.querySelector('svg');
    if (!svg) throw new Error('There is no picture yet.');
    return svg;
  };
  const files = {
    SVG: async () => saveText(standaloneSvg(drawn(), title), 'image/svg+xml', `${name}.svg`),
    PNG: async () => saveFile(await pngOf(drawn(), title), `${name}.png`),
    CSV: async () => saveText(csvOf(csvRows({ heads, points })), 'text/csv', `${name}.csv`),
  };
  return (
    <section class="card chart" ref={card}>
      <h2>{title}</h2>
      {interval ? (
        <Columns points={points} title={title} linkOf={linkOf} interval={interval} />
      ) : (
        <Bars points={points} title={title} linkOf={linkOf} most={most} />
      )}
      <details>
        <summary>Table</summary>
        <Table
          label={title}
          heads={[...heads]}
          numbers={[1]}
          rows={points.map(({ label, value, words }) => [label, words ?? figureText(value ?? 0)])}
        />
      </details>
      <Notes notes={notes} />
      <Problems>
        {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form */}
        <p class="chart-files" role="group" aria-label={`Download ${title}`}>
          <span class="note">Download</span>
          {Object.entries(files).map(([kind, work]) => (
            <Action key={kind} kind="small quiet" work={work}>
              {kind}
            </Action>
          ))}
        </p>
        <ProblemNotice />
      </Problems>
    </section>
  );
}
