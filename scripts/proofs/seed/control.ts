/** The proof's own connection to its schema, whose statements are no steps of the simulation. */
import pg from 'pg';

export type ControlConnection = pg.Client;

export async function openControl(url: string, schema: string): Promise<ControlConnection> {
  const control = new pg.Client({ connectionString: url, options: `-c search_path=${schema},pg_catalog -c timezone=UTC` });
  await control.connect();
  return control;
}
