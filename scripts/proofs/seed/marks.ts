/** Marks: rare states that runs have to reach, since a proof that no longer reaches them proves less than it claims. */

export const MARKS = [
  'two pages of one record wait for each other',
  'a page waits for the settlement of a job',
  'a claim of an idempotency key is taken over after its lease',
  'a claim is settled after it was taken over',
  'a process dies between the reservation and the commit of an acceptance',
  'a process dies in the transaction that settles a job',
  'a lease is lost while its attempt works',
  'a job is begun again after its worker died',
  'a job settles in the month after its reservation',
  'a grant is due while several requests run',
  'a transaction that stood still is ended by Postgres',
  'an acceptance is refused for want of credits',
  'a page is cut to what the balance pays for',
  'a lost file is given back',
  'a record of a lost file is held by another file',
  'a revision comes back after a newer one',
] as const;

export type Mark = (typeof MARKS)[number];

export class Marks {
  readonly #counts = new Map<Mark, number>();

  reach(mark: Mark): void {
    this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(MARKS.map((mark) => [mark, this.#counts.get(mark) ?? 0]));
  }

  missing(): Mark[] {
    return MARKS.filter((mark) => !this.#counts.get(mark));
  }
}
