/** The tool that finds places, lists the words of filters, reads a sentence as filters, and finds the projects of an address, parcel or case. */
import { normalizeWords } from '../../core/domain/words.ts';
import { dataAnswer, plainAnswer, takeFitting } from './answer.ts';
import type { Arguments, Tool, ToolApi } from './tool.ts';

const WORDS = {
  statuses: 'listStatuses',
  building_types: 'listProjectTypes',
  subtypes: 'listSubtypes',
  asset_classes: 'listAssetClasses',
  request_types: 'listRequestTypes',
  decision_bodies: 'listDecisionBodies',
  decision_types: 'listDecisionTypes',
  construction_types: 'listConstructionTypes',
} as const;
const PLACES = ['states', 'counties', 'cities', 'places'];
const SENTENCE = 'sentence';
/** What names a project, by the fields of a row that is matched. */
const NAMES = { address: 'address', parcel: 'parcelNumber', case: 'caseNumber' } as const;
/** Moratoria and the like. */
const RESTRICTIONS = 'restrictions';
const MATCHES_SHOWN = 5;
/** Most places in one answer. */
const PLACES_SHOWN = 20;

type Entry = Record<string, unknown>;

async function entriesOf(api: ToolApi, { what, state, county }: Arguments): Promise<readonly Entry[]> {
  if (what === 'states') return (await api.ask('listStates', {})).data as unknown as Entry[];
  if (what === 'counties') return (await api.ask('listCounties', { id: state })).data as unknown as Entry[];
  if (what === 'cities') return (await api.ask('listCities', { stateId: state, countyId: county })).data as unknown as Entry[];
  return (await api.ask(WORDS[what as keyof typeof WORDS], {})).data as unknown as Entry[];
}

/** The projects that an address, parcel or case names, with how sure that is: from 0.8 on the same one. */
async function findNamed(api: ToolApi, field: string, { contains, state, county }: Arguments) {
  const row = { [field]: contains, state, county };
  const { data } = await api.ask('matchProjects', { body: { rows: [row], limit: MATCHES_SHOWN, minScore: 0.5 } });
  const { candidates = [], candidateCount = 0 } = data[0] ?? {};
  return plainAnswer({ values: candidates.map(({ id, score }) => ({ id, score })), matchCount: candidateCount });
}

/** The restrictions in force in a state, or of a county also whether they bind. */
async function findRestrictions(api: ToolApi, { state, county }: Arguments) {
  if (county !== undefined) {
    const { data } = await api.ask('checkRestrictions', { body: { county: state === undefined ? county : `${county}, ${state}` } });
    const shown = takeFitting(data.because);
    return dataAnswer({ binds: data.binds, on: data.on, because: shown, truncated: shown.length < data.because.length });
  }
  const { data, meta } = await api.ask('listRestrictions', {
    statuses: ['in_force', 'extended'],
    ...(state === undefined ? {} : { states: [state] }),
  });
  const listed = data.map(({ id, title, usesText, effectiveTo, extensions, endEvent, evidence }) => {
    return { id, title, uses: usesText, end: extensions.at(-1)?.to ?? effectiveTo ?? endEvent, quote: evidence[0]?.quote ?? null };
  });
  const shown = takeFitting(listed);
  return dataAnswer({ restrictions: shown, total: meta.total, truncated: shown.length < meta.total });
}

const nameOf = ({ token, label, id, name, abbreviation }: Entry): Entry =>
  token === undefined ? { id, name, abbreviation } : { token, label };

export const lookUp: Tool = {
  name: 'look_up',
  title: 'Places and words',
  description:
    'What filters take: places by name (misspelt too) or of a state or county, tokens with their labels; what a sentence means as filters, and in rest what none says; ids of the projects of an address, parcel or case, sure from score 0.8; restrictions (moratoria) in force in a state, or whether they bind a county. Free.',
  properties: {
    what: { type: 'string', enum: [SENTENCE, RESTRICTIONS, ...Object.keys(NAMES), ...PLACES, ...Object.keys(WORDS)] },
    state: { type: 'string', description: 'needed for counties and cities: CO' },
    county: { type: 'string', description: 'needed for cities: Boulder' },
    contains: {
      type: 'string',
      description:
        'part of the name; needed for places: bould; for an address: 12 Elm St, Boulder, CO 80302; for sentence: denied rezonings over 5 acres in Colorado',
    },
  },
  required: ['what'],
  call: async (api, given) => {
    if (given.what === SENTENCE) {
      const { filters, rest } = (await api.ask('interpretSentence', { q: given.contains ?? '' })).data;
      return plainAnswer({ filters, ...(rest === null ? {} : { rest }) });
    }
    if (given.what === RESTRICTIONS) return findRestrictions(api, given);
    const named = NAMES[given.what as keyof typeof NAMES];
    if (named) return findNamed(api, named, given);
    if (given.what === 'places') {
      const { data } = await api.ask('searchPlaces', { q: given.contains, limit: PLACES_SHOWN });
      return plainAnswer({ values: data.map(({ kind, id, label, recordCount }) => ({ kind, id, label, recordCount })) });
    }
    const sought = normalizeWords(String(given.contains ?? ''));
    const all = (await entriesOf(api, { ...given, state: given.state ?? '', county: given.county ?? '' })).map(nameOf);
    const found = all.filter((entry) => normalizeWords(JSON.stringify(entry)).includes(sought));
    const shown = takeFitting(found);
    return plainAnswer({
      values: shown,
      ...(shown.length < found.length ? { left: found.length - shown.length, narrowBy: 'contains' } : {}),
    });
  },
};
