/**
 * Pages of projects as the text that was rendered when they were written: Elasticsearch then reads it from doc values, and neither stored fields
 * nor `_source`. Where a record has no text that this version made, the page is read as it is stored.
 */
import type { estypes } from '@elastic/elasticsearch';
import type { Tier } from '../../domain/record/field.ts';
import { type FieldName, fieldOf } from '../../domain/record/fields.ts';
import { RENDERED, RenderedProject, type RenderedTier, renderedParts, type TextBytes } from '../../domain/record/rendered.ts';
import type { FetchedProject } from '../../domain/record/represent.ts';
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
  /** parts that are fetched as they are stored */
  stored: readonly Tier[];
}

/** What is shown of a record by all of its parts is read as it is indexed. */
const RICHNESS = 'derived.dataRichness';

/** Undefined where the page needs more than texts and the parts that are fetched whole. */
export function renderedFetch({ toShow, representation, alsoFetch = [] }: RecordFetch): RenderedFetch | undefined {
  if (!toShow) return undefined;
  const { rendered, stored } = renderedParts(representation);
  const others = alsoFetch.filter((path) => !stored.some((part) => path.startsWith(`${part}.`)));
  const looked = others.flatMap((path) => lookedAt(path) ?? []);
  if (looked.length < others.length) return undefined;
  return { parts: RENDERED.filter((part) => rendered.includes(part) || looked.some(({ tier }) => tier === part)), looked, stored };
}

/** The part of a search that says what is fetched. */
export const fetchClause = ({ parts, stored }: RenderedFetch): object =>
  stored.length
    ? { _source: stored, docvalue_fields: [...parts.map(pathOf), RICHNESS] }
    : { stored_fields: '_none_', _source: false, docvalue_fields: parts.map(pathOf) };

/** Undefined where the record has no text of this version. @param hit as the client of `makeElastic` reads it */
export function readRendered(
  { fields, _source }: Pick<estypes.SearchHit<Partial<FetchedProject>>, 'fields' | '_source'>,
  { parts, looked, stored }: RenderedFetch,
): RenderedProject | undefined {
  const texts = Object.fromEntries(parts.map((part) => [part, (fields?.[pathOf(part)] as TextBytes[] | undefined)?.[0]]));
  const rendered = RenderedProject.read(parts, texts);
  if (stored.length) {
    const [dataRichness] = (fields?.[RICHNESS] ?? []) as number[];
    if (dataRichness === undefined || !rendered) return undefined;
    Object.assign(rendered.project, _source, { dataRichness });
  }
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
