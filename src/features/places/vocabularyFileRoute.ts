/** All vocabularies and states in one file whose name contains a digest of its content, so that browsers can cache it for ever. */
import { hash } from 'node:crypto';
import * as vocabulary from '../../core/domain/vocabulary.ts';
import { file } from '../../http/declaration.ts';
import { NAMED_FILE_ERRORS, type OpenRoute } from '../../http/openRoutes.ts';
import type { Platform } from '../feature.ts';
import { taxonomyTree } from './taxonomyRoutes.ts';

const PATH = '/vocabularies/';
const DIGEST_LENGTH = 12;
const LIFETIME = { seconds: 31_536_000, scope: 'shared', immutable: true } as const;

export interface Vocabularies {
  version: string;
  /** absolute address of the file */
  url: string;
  /** below the root of the service */
  path: string;
  json: string;
}

/** @returns the tokens and labels of records and filters, and the states */
export function makeVocabularies({ places, publicUrl }: Pick<Platform, 'places' | 'publicUrl'>): Vocabularies {
  const content = {
    taxonomy: taxonomyTree(),
    statuses: vocabulary.statuses.terms,
    decisionBodies: vocabulary.decisionBodies.terms,
    decisionTypes: vocabulary.decisionTypes.terms,
    requestTypes: vocabulary.requestTypes.terms,
    constructionTypes: vocabulary.constructionTypes.terms,
    projectSizes: vocabulary.projectSizes.terms,
    ownerTypes: vocabulary.ownerTypes.terms,
    actionTypes: vocabulary.actionTypes.terms,
    actionCategories: vocabulary.actionCategories.terms,
    states: places.states.map(({ id, name, abbreviation }) => ({ id, name, abbreviation })),
  };
  const version = hash('sha256', JSON.stringify(content)).slice(0, DIGEST_LENGTH);
  const path = `${PATH}${version}.json`;
  return { version, url: `${publicUrl}${path}`, path, json: JSON.stringify({ version, ...content }) };
}

export const vocabularyFileRoute = ({ path, json, version }: Vocabularies): OpenRoute => ({
  paths: [path],
  rate: 'file',
  type: 'application/json',
  lifetime: LIFETIME,
  handle: () => json,
  reference: {
    id: 'getVocabularies',
    summary: 'Every word that records carry and filters take, in one file that never changes; `GET /v1/start` names the current one',
    path: `${PATH}{version}.json`,
    params: {
      version: {
        schema: { type: 'string' },
        summary: '`vocabularies.version` of the start',
        example: version,
        names: 'version',
        parse: String,
      },
    },
    answers: [file('application/json', { schema: { type: 'object' } })],
    errors: NAMED_FILE_ERRORS,
  },
});
