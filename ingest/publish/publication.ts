/**
 * The publication: the set that searches read, the one that was served before, and the one that sync shows. It is one row in Postgres
 * (`index_lineage.published`), written together with the record of the commit; the aliases of Elasticsearch follow from it.
 *
 *                       serve, commit, renew, rebuild
 *                                ┌───┐
 *               serve, rebuild   │   ▼    return
 *       empty ─────────────────▶ following ─────────▶ stamping ──┐ return, to a set
 *                                    ▲                 │   ▲     │ that is not shown
 *                                    └─────────────────┘   └─────┘ to sync
 *                       renew by a stamped copy, or commit of what was stamped, or
 *                       return to the set that sync shows
 *
 *   empty      nothing is served
 *   following  sync shows what is served: records of a load are stamped above all that was served before
 *   stamping   a set that was served before is served again as it stands. Sync, and alerts with it, show what was served until then, whole, while the
 *              records that differ are stamped, unseen, in a copy of what is served; it is shown to searches and to sync at once
 *
 * Every change is published in three steps (`publishChange`), so that after a kill the next command knows which were taken (`repairIndex`):
 *
 *   1. one statement stores the next publication beside the current one (`publishing`), with the record of its commit
 *   2. one atomic change of aliases shows it: readers see one state or the other. It fails if another command changed the aliases meanwhile
 *   3. the row stores it as the current publication
 *
 * If the aliases show neither of the two, somebody else changed them: the publication follows from them.
 * Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { estypes } from '@elastic/elasticsearch';
import { type IndexNames, KINDS, type SetName, type View, visibilityFilter } from '../../src/core/store/elastic/indices.ts';
import type { Publication, PublicationRow, PublishedSet } from '../../src/core/store/postgres/lineageStore.ts';
import { LoadRefused } from '../loadRefused.ts';
import type { GenerationSet, Generations } from '../write/generationSets.ts';

export interface Change {
  /**
   * `serve` a set that is stamped above what is served, `commit` what a load wrote into a set, `return` to a set that was served before, as it stands,
   * `renew` what is served by a set that takes its place: one that shows the same, or a copy that was stamped for sync; `rebuild` what was lost
   */
  way: 'serve' | 'commit' | 'return' | 'renew' | 'rebuild';
  set: SetName & Pick<View, 'aborted'>;
  /** commit that the set shows after the change */
  commit: number;
  /** number of the load whose right to write into the set ends with the change; the change fails if that right has already ended */
  closes?: number;
  /** the previously served set, if it is rebuilt too because sync shows it */
  before?: PublishedSet | undefined;
}

export const toPublishedSet = ({ generation, load, committed }: SetName & Pick<View, 'committed'>): PublishedSet => ({
  generation,
  load,
  commit: committed,
});

/** What the aliases show. */
export function derivePublication({ served, previous, synced }: Generations): Publication {
  return {
    served: served ? toPublishedSet(served) : null,
    previous: previous ? toPublishedSet(previous) : null,
    synced: synced ? { ...toPublishedSet(synced), commit: synced.synced ?? synced.committed } : null,
  };
}

export const isStamping = ({ served, synced }: Publication): boolean => served !== null && synced !== null && served.load !== synced.load;

/** The publication that results from a change. */
export function derivePublicationAfter(now: Publication, { way, set, commit, before }: Change): Publication {
  const { served, previous, synced } = now;
  const next = { generation: set.generation, load: set.load, commit };
  switch (way) {
    case 'commit':
      // A set that is not served yet is shown to nobody.
      return served?.load === set.load ? { served: next, previous, synced: next } : now;
    case 'serve':
      return { served: next, previous: served, synced: next };
    case 'return':
      return { served: next, previous: served, synced: synced?.load === set.load ? next : synced };
    case 'renew':
      return { served: next, previous, synced: next };
    case 'rebuild':
      return { served: next, previous: before ?? null, synced: before ?? next };
  }
}

/**
 * Determines the right publication from the aliases and the row, after any interrupted command or change of aliases.
 * @throws LoadRefused if it is no longer known what sync showed
 */
export function deriveRepairedPublication(generations: Generations, { published, publishing }: PublicationRow): Publication {
  const { served, synced, sets } = generations;
  const shown = derivePublication(generations);
  if (!served || [published, publishing].some((known) => isDeepStrictEqual(known, shown))) return shown;
  if (served.stamping && !synced) {
    const known = [publishing, published].find((row) => isDeepStrictEqual(row?.served, shown.served))?.synced;
    if (known && sets.some(({ load, committed }) => load === known.load && committed === known.commit)) return { ...shown, synced: known };
    throw new LoadRefused(
      'The records that are served were not stamped for sync, and the generation that sync showed is gone. Accept what is served with npm run ingest -- adopt: every copy kept by sync has to be built again',
    );
  }
  const isMarked = sets.some(({ stamping }) => stamping);
  return isMarked && isStamping(shown) ? shown : { ...shown, synced: shown.served };
}

/** The publication to show, and the change that led to it. */
export interface Step {
  publication: Publication;
  /** lineage with which the served set is marked */
  lineage: string;
  change?: Change;
}

type Action = estypes.IndicesUpdateAliasesAction;

/** The alias changes, sent as one atomic step, that show a publication; empty if it is already shown. */
export function makeAliasChanges(names: IndexNames, { sets }: Generations, { publication, lineage, change }: Step): Action[] {
  const changed = change?.set;
  const isNew = changed && !sets.some(({ load }) => load === changed.load);
  const all = isNew ? [...sets, { ...changed, ...SHOWN_BY_NO_ALIAS }] : sets;
  return all.flatMap((set) => [
    ...makeViewChanges(names, set, publication, change?.set.load === set.load ? change : undefined),
    ...markChanges(names, set, publication, lineage),
  ]);
}

const SHOWN_BY_NO_ALIAS = { committed: 0, served: false, previous: false, synced: null, stamping: false, lineage: null };

type AliasedSet = Pick<GenerationSet, keyof SetName | keyof View | 'served' | 'previous' | 'synced' | 'stamping' | 'lineage'>;

/** The alias changes that show a set under the right aliases, each with a filter for what is visible. */
function makeViewChanges(
  names: IndexNames,
  set: AliasedSet,
  { served, previous, synced }: Publication,
  change: Change | undefined,
): Action[] {
  const view = change ? { committed: change.commit, aborted: change.set.aborted } : set;
  const shows = (role: PublishedSet | null) => role?.load === set.load;
  const roles = [
    { alias: names.readAlias, has: set.served, wanted: shows(served), isSame: !change },
    { alias: names.previousAlias, has: set.previous, wanted: shows(previous), isSame: !change },
    { alias: names.syncedAlias, has: set.synced !== null, wanted: shows(synced), isSame: !change && set.synced === set.committed },
  ];
  return KINDS.flatMap((kind) => {
    const index = names.indexName(kind, set);
    const add = (alias: string): Action => ({ add: { index, alias, filter: visibilityFilter(view) } });
    // With `must_exist` the whole step fails if another command came first.
    const remove = (alias: string, mustExist: boolean): Action => ({
      remove: { index, alias, ...(mustExist ? { must_exist: true } : {}) },
    });
    return [
      ...(change?.closes === undefined ? [] : [remove(names.writeAlias(kind, set, change.closes), true)]),
      ...(change ? [add(names.completeAlias(kind, set))] : []),
      ...roles.flatMap(({ alias, has, wanted, isSame }) => {
        const name = alias.call(names, kind);
        if (wanted) return has && isSame ? [] : [add(name)];
        return has ? [remove(name, name === names.readAlias('projects'))] : [];
      }),
    ];
  });
}

/** The alias changes that mark the served set with its lineage, and as being stamped for sync. */
function markChanges(names: IndexNames, set: AliasedSet, publication: Publication, lineage: string): Action[] {
  const index = names.indexName('projects', set);
  const isServed = publication.served?.load === set.load;
  const marks = [
    { has: set.stamping ? names.stamping : null, wanted: isServed && isStamping(publication) ? names.stamping : null },
    { has: set.lineage === null ? null : names.lineageAlias(set.lineage), wanted: isServed ? names.lineageAlias(lineage) : null },
  ];
  return marks.flatMap(({ has, wanted }): Action[] => {
    if (has === wanted) return [];
    return [...(has === null ? [] : [{ remove: { index, alias: has } }]), ...(wanted === null ? [] : [{ add: { index, alias: wanted } }])];
  });
}
