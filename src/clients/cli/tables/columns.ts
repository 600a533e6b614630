/** The columns of a copy in a table: one for each field of the record in the service's present description. */
import { columnKind, type ValueSchema } from '../../../core/domain/record/columnKind.ts';
import { UserError } from '../../../terminal/program.ts';
import type { Representation } from '../../client/index.ts';
import { type Cli, readDescription } from '../context.ts';
import type { Column } from './dialects.ts';

const SCHEMAS = { compact: 'CompactProject', standard: 'StandardProject', full: 'FullProject' } as const satisfies Record<
  Representation,
  string
>;

interface Description {
  components: { schemas: Record<string, { properties?: Record<string, ValueSchema> }> };
}

/** Reads the columns. @throws UserError if the service cannot be reached, or describes no records */
export async function readColumns(cli: Cli, representation: Representation): Promise<Column[]> {
  const { components } = await readDescription<Description>(cli);
  const columns = Object.entries(components.schemas[SCHEMAS[representation]]?.properties ?? {});
  const wrong = columns.find(([name]) => !/^[A-Za-z]\w*$/.test(name));
  if (wrong || !['id', 'lastUpdated'].every((name) => columns.some(([one]) => one === name)))
    throw new UserError(
      `${cli.settings.url} does not describe its records as this command knows them: install the command that it hands out.`,
    );
  return columns.map(([name, schema]) => ({ name, kind: columnKind(schema) }));
}
