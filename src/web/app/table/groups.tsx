/** The groups of the table: how many projects each has, with the sums of the columns that are shown. */
import type { ComponentChildren } from 'preact';
import { figureText } from '../shared/facets.ts';
import { Select } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { withFilters } from '../shared/state.ts';
import { Empty, Loading, Notice, Table } from '../shared/ui.tsx';
import { number } from '../shared/words.ts';
import { DIMENSIONS, type RowGroup } from './figures.ts';
import { isMeasure, type RecordField, type RecordFields } from './recordFields.ts';
import type { FigureReading } from './useFigures.ts';

const groupFields = ({ fields }: RecordFields) => fields.filter(({ name, of }) => of !== undefined || name in DIMENSIONS);

/** The field that the address groups by; null for none. */
export const groupField = (known: RecordFields, by: string | null) => groupFields(known).find(({ name }) => name === by) ?? null;

const headingOf = ({ name, heading }: RecordField) =>
  name === 'meetingDate' ? 'Year of the latest meeting' : heading.replace(/, code$/, '');

export function GroupChoice({ known, by }: { known: RecordFields; by: RecordField | null }) {
  const { state, go } = usePage();
  const options = groupFields(known).map((field) => ({ value: field.name, label: headingOf(field) }));
  return (
    <Select
      id="group-by"
      class="inline"
      label="Group by"
      value={by?.name ?? ''}
      options={[{ value: '', label: 'Nothing' }, ...options]}
      onChange={(name) => go({ ...state, by: name || null })}
    />
  );
}

interface GroupsProps {
  by: RecordField;
  columns: readonly RecordField[];
  figures: FigureReading;
  /** what can be done about rows that are missing in them */
  children?: ComponentChildren;
}

export function Groups({ by, columns, figures: { groups, note, isOfRows, problem }, children }: GroupsProps) {
  const { state } = usePage();
  const sums = columns.filter((field) => isMeasure(field) && groups?.some((group) => field.name in group.sums));
  const linkTo = ({ label, change }: RowGroup) => {
    if (!change) return label;
    return <StateLink to={{ filters: withFilters(state, change).filters, by: null }}>{label}</StateLink>;
  };
  const cellsOf = (group: RowGroup) => [
    linkTo(group),
    number(group.count),
    ...sums.map(({ name }) => {
      const sum = group.sums[name] ?? null;
      return sum === null ? '' : figureText(sum);
    }),
  ];
  if (problem) return <Notice problem={problem} />;
  if (!groups) return <Loading what="Counting the groups" />;
  return (
    <section class="groups" aria-label="Groups">
      {note && (
        <p class="actions">
          {note} {isOfRows && children}
        </p>
      )}
      {groups.length > 0 ? (
        <Table
          label={`Projects by ${headingOf(by)}`}
          heads={[headingOf(by), 'Projects', ...sums.map(({ heading }) => `${heading}, sum`)]}
          numbers={[1, ...sums.map((_, i) => i + 2)]}
          rows={groups.map(cellsOf)}
        />
      ) : (
        <Empty>No group can be shown.</Empty>
      )}
    </section>
  );
}
