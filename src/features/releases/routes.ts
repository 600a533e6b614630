import { Type } from 'typebox';
import { nullableFieldAccuracies } from '../../core/domain/accuracy.ts';
import { nullable, object, place } from '../../core/domain/record/field.ts';
import { COLLECTION_LIMIT_MAX } from '../../core/filter/controls.ts';
import { makeCollectionMeta } from '../../core/search/collection.ts';
import type { ReleaseStore } from '../../core/store/postgres/releases.ts';
import type { ValueReviewStore } from '../../core/store/postgres/valueReviews.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { collectionMeta, collectionQuery } from '../../http/pageSchemas.ts';
import { moment, whole } from '../../http/schemas.ts';
import { viewRelease } from './view.ts';

const compared = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: `${description}; null where it is not known what was shown before`,
  });

const release = object({
  generation: whole,
  activatedAt: moment,
  rolledBack: Type.Boolean({ description: 'A generation that was served before is served again' }),
  extractedAt: nullable(moment),
  recordCount: Type.Integer({ minimum: 0, description: 'Records of every licence' }),
  added: compared('Records that the release before does not have'),
  changed: compared('Records of both that are other ones: their `lastUpdated` is newer'),
  removed: compared('Records of the release before that are gone, or merged into others'),
  digest: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'SHA-256 of what is shown: the same for the same records, revisions, times of change, removals, documents and contacts',
  }),
  findings: Type.Unsafe<Readonly<Record<string, number>> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'integer', minimum: 0 },
    description: 'What its load found: how many records or documents by code of the finding; null where that is not known',
  }),
  accepted: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Codes of findings that keep a release from being served, and that the operator accepted',
  }),
  accuracy: {
    ...nullableFieldAccuracies,
    description: 'How many values of its generation that people compared with the minutes are right, by field; null where none was',
  },
  states: Type.Array(object({ stateId: place, recordCount: whole })),
  schemaVersion: Type.String(),
});

/** `GET /releases`. */
export const releaseRoutes = (releases: Pick<ReleaseStore, 'list'>, reviews: Pick<ValueReviewStore, 'readByGeneration'>): Route[] => [
  route('Projects', 'listReleases', 'GET /releases', {
    summary: 'What each generation of the records brought, newest first',
    description:
      'A release is a change of what `GET /projects/sync` shows: a generation, an increment of one, or one that is served again. A copy that a walk of sync has brought up to date since `activatedAt` is that release. Free, and the same in every licence.',
    query: { own: collectionQuery('Releases') },
    answers: [json(Type.Array(release), { meta: collectionMeta })],
    errors: ['invalid_filter'],
    example: { path: '/v1/releases?limit=2' },
    handle: async ({ query }) => {
      const { limit = COLLECTION_LIMIT_MAX, offset = 0 } = query;
      const { releases: found, total } = await releases.list(Math.min(limit, COLLECTION_LIMIT_MAX), offset);
      const accuracies = await reviews.readByGeneration([...new Set(found.map(({ generation }) => generation))]);
      return {
        data: found.map((one) => viewRelease(one, accuracies.get(one.generation) ?? null)),
        meta: makeCollectionMeta({ limit, offset }, found.length, total),
      };
    },
  }),
];
