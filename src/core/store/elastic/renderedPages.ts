/**
 * Pages of projects as text that was rendered when they were written. Elasticsearch reads it from doc values, without stored fields or
 * `_source`. If a record lacks text of this version, the page is read from `_source`.
 */
import type { estypes } from '@elastic/elasticsearch';
import type { Tier } from '../../domain/record/field.ts';
import { listRenderedParts, RenderedProject, type RenderedText, type RenderedTier } from '../../domain/record/rendered.ts';
import type { FetchedProject } from '../../domain/record/represent.ts';
import type { Representation } from '../../domain/record/schemas.ts';

/** Path of the fields that hold rendered parts. */
export const RENDERED_PATH = 'derived.rendered';
const PATHS: Readonly<Record<RenderedTier, string>> = { compact: `${RENDERED_PATH}.compact`, standard: `${RENDERED_PATH}.standard` };

/** What to fetch of each record of a page. */
export interface RecordFetch {
  representation: Representation;
  /** further `_source` paths */
  alsoFetch?: readonly string[];
  /** further `_source` paths that confirm filters; not needed with rendered text, which records the attributes without a value */
  toConfirm?: readonly string[];
  /** true when the records are only shown, so that rendered text suffices */
  toShow?: boolean | undefined;
}

/** The parts of rendered text of which a page is made. */
export interface RenderedFetch {
  parts: readonly RenderedTier[];
  /** parts that are fetched from `_source` */
  stored: readonly Tier[];
  /** whether hits name the writings of their documents, for `KeptRecords` */
  named?: boolean;
}

/** A value computed from all parts, which is fetched from the index. */
const RICHNESS = 'derived.dataRichness';

/** How to fetch a page as rendered text; undefined when it needs more than texts and whole stored parts. */
export function renderedFetch({ toShow, representation, alsoFetch = [] }: RecordFetch): RenderedFetch | undefined {
  if (!toShow || alsoFetch.length) return undefined;
  const { rendered, stored } = listRenderedParts(representation);
  return { parts: rendered, stored };
}

/** The part of a search body that selects what is fetched. */
export const fetchClause = ({ parts, stored, named }: RenderedFetch): object => ({
  ...(stored.length ? { _source: stored } : { stored_fields: '_none_', _source: false }),
  ...(parts.length ? { docvalue_fields: [...parts.map((part) => PATHS[part]), ...(stored.length ? [RICHNESS] : [])] } : {}),
  ...(named ? { seq_no_primary_term: true } : {}),
});

/**
 * A record's rendered text; undefined when it has none of this version.
 * @param hit as parsed by the client of `makeElastic`
 */
export function readRendered(
  { fields, _source }: Pick<estypes.SearchHit<Partial<FetchedProject>>, 'fields' | '_source'>,
  { parts, stored }: RenderedFetch,
): RenderedProject | undefined {
  const textOf = (tier: RenderedTier) => (fields?.[PATHS[tier]] as [RenderedText | null] | undefined)?.[0];
  const rendered = RenderedProject.read(parts, textOf);
  if (stored.length) {
    const [dataRichness] = (fields?.[RICHNESS] ?? []) as number[];
    if (dataRichness === undefined || !rendered) return undefined;
    rendered.addStored({ ..._source, dataRichness });
  }
  return rendered;
}

/** How long pages are read from `_source` after one lacked text, since much of the served set then probably lacks it too. */
const STORED_FOR_MS = 10_000;

export class RenderedPages {
  #notBefore = 0;

  /**
   * Reads a page as text if possible.
   * @param ask returns undefined when a record of the page lacks text of this version; it is then called again without `rendered`
   */
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
