/** The table on paper: every row that was read, as a plain table that is made when the page is printed. */
import { render, type VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useListener } from '../shared/hooks.ts';
import { countInWords } from '../shared/words.ts';
import { isNumeric, type RecordField, shownText, type TableRecord } from './recordFields.ts';

interface PrintedProps {
  records: readonly TableRecord[];
  columns: readonly RecordField[];
  /** every match; null while it is not known */
  matchCount: number | null;
}

const PlainTable = ({ records, columns, matchCount }: PrintedProps) => (
  <table>
    <caption>
      {countInWords(records.length, 'project')}
      {matchCount !== null && matchCount > records.length && ` of ${matchCount} that match`}
    </caption>
    <thead>
      <tr>
        {columns.map((field) => (
          <th key={field.name} scope="col" class={isNumeric(field) ? 'number' : ''}>
            {field.heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {records.map((record) => (
        <tr key={record.id}>
          {columns.map((field) => (
            <td key={field.name} class={isNumeric(field) ? 'number' : ''}>
              {shownText(record, field)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

export function Printed(props: PrintedProps) {
  const holder = useRef<HTMLDivElement>(null);
  const fill = (table: VNode | null) => holder.current && render(table, holder.current);
  useListener('beforeprint', () => fill(<PlainTable {...props} />));
  useListener('afterprint', () => fill(null));
  return <div class="printed" ref={holder} />;
}
