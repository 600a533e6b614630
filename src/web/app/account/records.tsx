/** Records as rows, each with a link that opens it on the map. */
import type { ComponentChildren } from 'preact';
import type { ListedRecord } from '../shared/answers.ts';
import { nameOfRecord } from '../shared/facts.ts';
import { StateLink } from '../shared/links.tsx';
import { Badge } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';

type RowRecord = Pick<
  ListedRecord,
  'id' | 'projectName' | 'city' | 'county' | 'state' | 'propertyTypeLabel' | 'statusLabel' | 'meetingDate'
> & {
  status: string | null;
};

export const RECORD_HEADS = ['Name', 'Place', 'Building Type', 'Status', 'Latest meeting'];

/** The cells below `RECORD_HEADS`. @param after what follows the name */
export const recordCells = (record: RowRecord, after?: ComponentChildren): ComponentChildren[] => [
  <>
    <StateLink to={{ tab: 'map', open: null, project: record.id }}>{nameOfRecord(record)}</StateLink>
    {after}
  </>,
  [record.city ?? record.county, record.state].filter(Boolean).join(', '),
  record.propertyTypeLabel ?? '',
  <Badge token={record.status} label={record.statusLabel} />,
  date(record.meetingDate),
];
