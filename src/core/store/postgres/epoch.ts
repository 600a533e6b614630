/** Detects that the database was replaced by another since it was last read: restored, copied back or promoted. */

/**
 * SQL of a text that identifies the database, for use within other statements. `npm run restore` replaces the row; a server whose files
 * were copied back, or that was promoted, has another start time.
 */
export const EPOCH_SQL = `(select id::text from database_epoch) || ' ' || extract(epoch from pg_postmaster_start_time())`;
