/** By which a process notices that the database under it is not the one it read from before: restored, copied back or promoted. */

/**
 * Text of the life that a statement reads, part of a statement that is run anyway. The row is another one after `npm run restore`; a server
 * whose files were put back, or that took another's place, has started since.
 */
export const EPOCH = `(select id::text from database_epoch) || ' ' || extract(epoch from pg_postmaster_start_time())`;
