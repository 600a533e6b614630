/** A copy kept by sync, as a client of a test keeps one. */
import assert from 'node:assert/strict';
import type { TestAnswer, TestProcess } from './service.ts';

export class Copy {
  /** full records by id, as JSON */
  readonly records = new Map<number, string>();
  cursor: string | undefined;
  credits = 0;
  /** asked from now on; any process of the service may be */
  process: Pick<TestProcess, 'get'>;
  readonly #key: string;

  constructor(process: Pick<TestProcess, 'get'>, key: string) {
    this.process = process;
    this.#key = key;
  }

  /** The next page, which is not taken in. */
  ask(): Promise<TestAnswer> {
    const parameters = { dateRange: 'all', limit: 100, representation: 'full', ...(this.cursor ? { cursor: this.cursor } : {}) };
    return this.process.get('/projects/sync', parameters, { key: this.#key });
  }

  async catchUp(): Promise<void> {
    for (let more = true; more; ) {
      const { status, body } = await this.ask();
      assert.equal(status, 200, JSON.stringify(body));
      for (const { id } of body.meta.sync.removed) this.records.delete(id);
      for (const { delivery: _, ...record } of body.data) this.records.set(record.id, JSON.stringify(record));
      this.cursor = body.meta.sync.cursor;
      this.credits += body.meta.creditsUsed;
      more = body.meta.sync.hasMore;
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
