/** Enrichments of a test service: submitted, worked on by a worker of this process, polled. */
import { randomUUID } from 'node:crypto';
import { type ExportWorld, exportWorld, polled } from './exports.ts';
import type { TestAnswer, TestServiceOptions } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any;

export interface EnrichmentWorld extends ExportWorld {
  enrich(body: unknown, key: string, headers?: Record<string, string>): Promise<TestAnswer>;
  /** polls until the enrichment has a last status */
  settled(id: string, key: string): Promise<Any>;
  /** submits and waits; the job as it is then */
  enriched(body: unknown, key: string): Promise<Any>;
  /** one record as the key reads it */
  record(id: number, key: string): Promise<Any>;
  allowance(key: string): Promise<Any>;
}

/** A line of the directory: the engineer of a project, who is found for sure. */
export const engineer = (projectId: number) => ({
  ...{ kind: 'contact', projectId, name: `Person ${projectId}`, role: 'engineer', company: 'Spoon LLC', title: 'PE' },
  ...{ email: `p${projectId}@spoon.example`, emailConfidence: 0.9, isGovernmentStaff: false },
});

export async function enrichmentWorld(options: TestServiceOptions = {}): Promise<EnrichmentWorld> {
  const world = await exportWorld(options);
  const { api } = world;
  const enrich: EnrichmentWorld['enrich'] = async (body, key, headers = { 'Idempotency-Key': randomUUID() }) => {
    const answer = await fetch(`${api.url}/v1/enrichments`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as TestAnswer['body'] };
  };
  const settled = (id: string, key: string) =>
    polled(
      id,
      () => api.get(`/enrichments/${id}`, {}, { key }),
      ({ settledAt }) => Boolean(settledAt),
    );
  return {
    ...world,
    enrich,
    settled,
    enriched: async (body, key) => {
      const { status, body: answer } = await enrich(body, key);
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      return settled(answer.data.id, key);
    },
    record: async (id, key) => {
      const { status, body } = await world.read(`/projects/${id}`, {}, key);
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
    allowance: async (key) => (await world.read('/account/credits', {}, key)).body.data.enrichment,
  };
}
