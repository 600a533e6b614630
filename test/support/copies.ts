/** A copy kept by sync, as a client of a test keeps one. */
import assert from 'node:assert/strict';
import { SyncCopy } from '../../scripts/lib/syncCopy.ts';
import type { TestAnswer, TestProcess } from './service.ts';

const FILTERS = { dateRange: 'all', representation: 'full' };
const PAGE = 100;

export class Copy {
  readonly #copy = new SyncCopy();
  /** asked from now on; any process of the service may be */
  process: Pick<TestProcess, 'get'>;
  readonly #key: string;

  constructor(process: Pick<TestProcess, 'get'>, key: string) {
    this.process = process;
    this.#key = key;
  }

  get cursor(): string | undefined {
    return this.#copy.cursor;
  }

  get credits(): number {
    return this.#copy.counts.creditsUsed;
  }

  /** Full records by id, as JSON; without `delivery`, which says how the pool stands to them. */
  get records(): ReadonlyMap<number, string> {
    return new Map([...this.#copy.records].map(([id, { delivery: _, ...record }]) => [id, JSON.stringify(record)]));
  }

  /** The next page, which is not applied. */
  ask(): Promise<TestAnswer> {
    return this.process.get('/projects/sync', this.#copy.pageParameters(FILTERS, PAGE), { key: this.#key });
  }

  async catchUp(): Promise<void> {
    for (let more = true; more; ) {
      const { status, body } = await this.ask();
      assert.equal(status, 200, JSON.stringify(body));
      more = this.#copy.apply(body as TestAnswer['body'] & { data: never; meta: never });
    }
  }

  /** One without a cursor, of the same customer. */
  startAgain(): Copy {
    return new Copy(this.process, this.#key);
  }

  /** A copy that goes on from its cursor ends as one that is made now, which costs nothing: the pool holds every record. */
  async assertEqualToIndex(): Promise<void> {
    await this.catchUp();
    const fresh = this.startAgain();
    await fresh.catchUp();
    assert.deepEqual([...this.records].sort(), [...fresh.records].sort());
    assert.equal(fresh.credits, 0, 'what the pool holds is free');
  }
}
