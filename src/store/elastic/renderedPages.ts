/**
 * Pages of projects as the text that was rendered when they were written: Elasticsearch then reads it from doc values, and neither stored fields
 * nor `_source`. Where a record has no text that this version made, the page is read as it is stored.
 */
import type { estypes } from '@elastic/elasticsearch';
import { type FieldName, fieldOf } from '../../domain/record/fields.ts';
import { RENDERED, RenderedProject, type RenderedTier, renderedParts, type TextBytes } from '../../domain/record/rendered.ts';
import type { Representation } from '../../domain/record/schemas.ts';

/** Above the fields that hold rendered parts. */
export const RENDERED_PATH = 'derived.rendered';
const pathOf = (tier: RenderedTier) => `${RENDERED_PATH}.${tier}`;

/** What is wanted of each record of a page. */
export interface RecordFetch {
  representation: Representation;
  /** further `_source` paths */
  alsoFetch?: readonly string[];
  /** true where the records are shown and not looked into: they may come as rendered text */
  toShow?: boolean | undefined;
}

/** A field that is read besides the representation's own. */
interface Looked {
  tier: RenderedTier;
  name: FieldName;
}

/** Undefined where the text does not show what is stated. @param path such as `standard.acreage` */
function lookedAt(path: string): Looked | undefined {
  const [part, name] = path.split('.') as [string, FieldName | undefined];
  const tier = RENDERED.find((one) => one === part);
  if (!tier || !name) return undefined;
  const { serve, fallback, perRequest } = fieldOf(name);
  return serve || fallback || perRequest ? undefined : { tier, name };
}

/** What a page is read from: parts of the text, and fields that are looked up in it. */
export interface RenderedFetch {
  parts: readonly RenderedTier[];
  looked: readonly Looked[];
}

/** Undefined where the page needs more than the text. */
function renderedFetch({ toShow, representation, alsoFetch = [] }: RecordFetch): RenderedFetch | undefined {
  const shown = toShow ? renderedParts(representation) : undefined;
  if (!shown) return undefined;
  const looked = alsoFetch.flatMap((path) => lookedAt(path) ?? []);
  if (looked.length < alsoFetch.length) return undefined;
  return { parts: RENDERED.filter((part) => shown.includes(part) || looked.some(({ tier }) => tier === part)), looked };
}

/** The part of a search that says what is fetched. */
export const fetchClause = ({ parts }: RenderedFetch): object => ({
  stored_fields: '_none_',
  _source: false,
  docvalue_fields: parts.map(pathOf),
});

/** Undefined where the record has no text of this version. @param fields as the client of `makeElastic` reads them */
export function readRendered({ fields }: Pick<estypes.SearchHit, 'fields'>, { parts, looked }: RenderedFetch): RenderedProject | undefined {
  const texts = Object.fromEntries(parts.map((part) => [part, (fields?.[pathOf(part)] as TextBytes[] | undefined)?.[0]]));
  const rendered = RenderedProject.read(parts, texts);
  for (const part of rendered ? parts : []) {
    const names = looked.filter(({ tier }) => tier === part).map(({ name }) => name);
    if (names.length) rendered?.look(part, names);
  }
  return rendered;
}

/** How long pages are read as they are stored after one was found that lacks text: so much of what is served will lack it, too. */
const STORED_FOR_MS = 10_000;

export class RenderedPages {
  #notBefore = 0;

  /** @param ask answers undefined where some record of the page has no text of this version; it then is asked without any */
  async read<P>(request: RecordFetch, ask: (rendered?: RenderedFetch) => Promise<P | undefined>): Promise<P> {
    const rendered = renderedFetch(request);
    if (rendered && performance.now() >= this.#notBefore) {
      const page = await ask(rendered);
      if (page !== undefined) return page;
      this.#notBefore = performance.now() + STORED_FOR_MS;
    }
    return (await ask()) as P;
  }
}
