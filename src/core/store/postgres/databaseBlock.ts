/** Reasons why Postgres cannot serve until an operator acts, by SQLSTATE: a sentence for clients, and the remedy for operators. */
import pg from 'pg';
import { ApiError } from '../../domain/errors.ts';

interface DatabaseBlock {
  /** completes a sentence that begins with 'The account database' */
  trouble: string;
  remedy: string;
}

const BLOCKS: Readonly<Record<string, DatabaseBlock>> = {
  '25006': {
    trouble: 'takes no writes right now',
    remedy:
      'Postgres is read-only: point DATABASE_URL to the primary, or lift default_transaction_read_only (alter role or alter database … reset).',
  },
  '53100': {
    trouble: 'has no room on its disk right now',
    remedy: 'The disk of Postgres is full: free space on it or add some; nothing has to be restarted.',
  },
  '53200': {
    trouble: 'is out of memory right now',
    remedy: 'Postgres is out of memory: give its machine more, or lower work_mem or max_connections.',
  },
  '53300': {
    trouble: 'has no free connection right now',
    remedy: 'Postgres has no free connection: raise max_connections, or run fewer processes; each takes up to 20.',
  },
};

/** The block named by an error of a statement or a connection, also as the cause of an ApiError; undefined for any other error. */
export function findDatabaseBlock(error: unknown): DatabaseBlock | undefined {
  const thrown = error instanceof ApiError ? error.cause : error;
  return thrown instanceof pg.DatabaseError ? BLOCKS[thrown.code ?? ''] : undefined;
}
