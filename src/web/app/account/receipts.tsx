/** The tab of receipts: every charge, grant and refund. */
import { call } from '../shared/api.ts';
import { moment, nameInWords, number } from '../shared/words.ts';
import { Collection } from './collection.tsx';

export const Receipts = () => (
  <Collection
    title="Receipts"
    lead="Every charge, grant and refund with its cause, newest first."
    load={(signal, page) => call('listReceipts', page, { signal })}
    none="Nothing was charged or granted yet."
    heads={['When', 'What', 'Credits', 'Balance', 'Items', 'Cause']}
    numbers={[2, 3, 4]}
    row={({ at, kind, subject, amount, balance, items, cause }) => [
      moment(at),
      nameInWords(`${kind} ${subject}`.replaceAll('_', ' ')),
      number(amount),
      number(balance),
      number(items),
      cause.route ?? cause.note ?? cause.jobId ?? '',
    ]}
  />
);
