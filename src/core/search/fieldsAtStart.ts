/**
 * When the API starts, it adds the fields of its version to the served set, so that a new filter finds every record that is loaded from
 * then on.
 */
import type { Logger } from 'pino';
import { EVIDENCE_ONLY, filtersOn } from '../filter/compile.ts';
import { MEASUREMENTS } from '../query/dimensions.ts';
import { measurementPath } from '../query/statistics.ts';
import { describeChangedFields, type FieldStore } from '../store/elastic/mappedFields.ts';
import { runExclusively } from '../store/postgres/locks.ts';
import type { Database } from '../store/postgres/pool.ts';

/** What an operator should know about the fields of the served set. */
interface FieldReport {
  added: string[];
  /** sentences, each with its remedy */
  warnings: string[];
}

/**
 * Adds missing fields; call it in one process at a time.
 * @throws errors of the Elasticsearch client, except when writes are blocked or forbidden for this key: reads go on, with a warning
 */
export async function addFieldsAtStart(fields: FieldStore): Promise<FieldReport> {
  const changes = await fields.addMissing();
  if (changes === 'forbidden') return { added: [], warnings: [FORBIDDEN] };
  if (changes instanceof Error) return { added: [], warnings: [`Fields of this version are not added: ${changes.message} ${THEN}`] };
  const unfilled = await fields.findFieldsToBackfill();
  const filters = filtersOn(unfilled);
  const measurements = MEASUREMENTS.filter((name) => unfilled.includes(measurementPath(name)));
  return {
    added: changes.added,
    warnings: [
      ...(changes.changed.length ? [describeChangedFields(changes.changed)] : []),
      ...(filters.length ? [`${filters.join(', ')}: these filters do not find ${OLDER_RECORDS}`] : []),
      ...(unfilled.includes(EVIDENCE_ONLY) ? [`filter_evidence_unconfirmed of whole sets does not count ${OLDER_RECORDS}`] : []),
      ...(measurements.length ? [`${measurements.join(', ')}: statistics of these lack ${OLDER_RECORDS}`] : []),
    ],
  };
}

const FORBIDDEN =
  'The Elasticsearch key of this process may not add fields to the indices, so that new filters may find nothing: run `npm run ingest -- fields` with one that may';

const THEN = 'Then run `npm run ingest -- fields`: until that, new filters may find nothing.';

const OLDER_RECORDS =
  'records that an older version loaded, until they are written again, while loads and searches go on: npm run ingest -- renew';

/** Adds missing fields, in one process at a time; the others then find nothing to add. @param prefix of the indices */
export async function addMissingFields(
  fields: FieldStore,
  { database, prefix, log }: { database: Database; prefix: string; log: Logger },
): Promise<void> {
  const { added, warnings } = await runExclusively(database, `fields:${prefix}`, () => addFieldsAtStart(fields));
  if (added.length) log.info(`Added fields of this version to what is served: ${added.join(', ')}`);
  for (const warning of warnings) log.warn(warning);
}
