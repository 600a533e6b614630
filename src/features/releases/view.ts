/** A release in an answer. Pure. */
import type { FieldAccuracy } from '../../core/domain/accuracy.ts';
import type { RecordedRelease } from '../../core/store/postgres/releases.ts';
import { SCHEMA_VERSION } from '../../http/versioning.ts';

export const viewRelease = (
  { activatedAt, extractedAt, states, ...release }: RecordedRelease,
  accuracy: Record<string, FieldAccuracy> | null,
) => ({
  generation: release.generation,
  activatedAt: activatedAt.toISOString(),
  rolledBack: release.rolledBack,
  extractedAt: extractedAt?.toISOString() ?? null,
  recordCount: release.recordCount,
  added: release.added,
  changed: release.changed,
  removed: release.removed,
  digest: release.digest,
  findings: release.findings,
  accepted: release.accepted,
  accuracy,
  states: states.map(([stateId, recordCount]) => ({ stateId, recordCount })),
  schemaVersion: SCHEMA_VERSION,
});
