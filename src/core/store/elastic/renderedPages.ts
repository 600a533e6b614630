/**
 * Pages of projects as the text that was rendered when they were written: Elasticsearch then reads it from doc values, and neither stored fields
 * nor `_source`. Where a record has no text that this version made, the page is read as it is stored.
 */
import type { estypes } from '@elastic/elasticsearch';
import type { Tier } from '../../domain/record/field.ts';
import { RenderedProject, type RenderedTier, renderedParts, type TextBytes } from '../../domain/record/rendered.ts';
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
  /** the same of what confirms filters, which text need not: it says of which attributes a record has no value */
  toConfirm?: readonly string[];
  /** true where the records are shown and not looked into: they may come as rendered text */
  toShow?: boolean | undefined;
}

/** What a page is read from: parts of the text. */
export interface RenderedFetch {
  parts: readonly RenderedTier[];
  /** parts that are fetched as they are stored */
  stored: readonly Tier[];
}

/** What is shown of a record by all of its parts is read as it is indexed. */
const RICHNESS = 'derived.dataRichness';

/** Undefined where the page needs more than texts and the parts that are fetched whole. */
export function renderedFetch({ toShow, representation, alsoFetch = [] }: RecordFetch): RenderedFetch | undefined {
  if (!toShow || alsoFetch.length) return undefined;
  const { rendered, stored } = renderedParts(representation);
  return { parts: rendered, stored };
}

/** The part of a search that says what is fetched. */
export const fetchClause = ({ parts, stored }: RenderedFetch): object =>
  stored.length
    ? { _source: stored, docvalue_fields: [...parts.map(pathOf), RICHNESS] }
    : { stored_fields: '_none_', _source: false, docvalue_fields: parts.map(pathOf) };

/** Undefined where the record has no text of this version. @param hit as the client of `makeElastic` reads it */
export function readRendered(
  { fields, _source }: Pick<estypes.SearchHit<Partial<FetchedProject>>, 'fields' | '_source'>,
  { parts, stored }: RenderedFetch,
): RenderedProject | undefined {
  const texts = Object.fromEntries(parts.map((part) => [part, (fields?.[pathOf(part)] as TextBytes[] | undefined)?.[0]]));
  const rendered = RenderedProject.read(parts, texts);
  if (stored.length) {
    const [dataRichness] = (fields?.[RICHNESS] ?? []) as number[];
    if (dataRichness === undefined || !rendered) return undefined;
    Object.assign(rendered.project, _source, { dataRichness });
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
