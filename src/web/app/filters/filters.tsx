/** The filter form, with the words of the taxonomy and of the catalogue of places. */
import { ask, type KnownState, type Words } from '../api.ts';
import type { FilterChange } from '../state.ts';
import { useAnswer } from '../ui.tsx';
import { spaced } from '../words.ts';
import { Checks, Choice, Typed } from './choice.tsx';
import { PlaceBox } from './placeBox.tsx';

const RANGES = [
  ['', 'Last year'],
  ['last_3_months', 'Last 3 months'],
  ['last_6_months', 'Last 6 months'],
  ['since_jan_2025', 'Since January 2025'],
  ['all', 'All dates'],
];
/** Filters with a field in the form; any other filter in the address is shown as a chip that can be removed. */
const SHOWN = ['states', 'counties', 'propertyTypes', 'propertySubtypes', 'status', 'dateRange', 'q', 'acreageMin', 'totalUnitCountMin'];
const SHAPES = ['polygon', 'circle', 'bbox'];

const split = (list: string | undefined): string[] => (list ?? '').split(',').flatMap((one) => one.trim() || []);

/** The value of a choice; 'several' when the filter has more than one. */
const one = (list: string | undefined): string => (split(list).length > 1 ? 'several' : (split(list)[0] ?? ''));

interface FilterProps {
  filters: Readonly<Record<string, string>>;
  onChange: (change: FilterChange) => void;
}

function PlaceFields({ filters, states, onChange }: FilterProps & { states: readonly KnownState[] }) {
  const asked = one(filters.states);
  const state = states.find(({ id, abbreviation, name }) =>
    [String(id), abbreviation, name].some((known) => known.toLowerCase() === asked.toLowerCase()),
  );
  const { answer } = useAnswer(
    async (signal): Promise<{ id: number; name: string; entitled: boolean }[]> =>
      state ? (await ask(`/locations/states/${state.id}/counties`, { signal })).data : [],
    [state?.id],
  );
  const counties = answer ?? [];
  const listed = states.filter(({ entitled }) => entitled).map(({ abbreviation, name }) => [abbreviation, name]);
  const several = asked === 'several' ? [['several', `${split(filters.states).length} states`]] : [];
  const county = one(filters.counties);
  const named = county && county !== 'several' && !counties.some(({ id }) => String(id) === county) ? [[county, county]] : [];
  return (
    <>
      <PlaceBox states={states} onChange={onChange} />
      <Choice
        id="state"
        label="State"
        value={state ? state.abbreviation : asked}
        options={[['', 'All of the licence'], ...several, ...listed]}
        onChange={(value) => onChange({ states: value, counties: null, cities: null })}
      />
      <Choice
        id="county"
        label="County"
        value={county}
        disabled={!state && !county}
        options={[
          ['', state ? `All of ${state.name}` : 'Choose a state first'],
          ...(county === 'several' ? [['several', 'Several counties']] : []),
          ...named,
          ...counties.filter(({ entitled }) => entitled).map(({ id, name }) => [String(id), name]),
        ]}
        onChange={(value) => onChange({ counties: value || null, cities: null })}
      />
    </>
  );
}

function UseFields({ filters, types, onChange }: FilterProps & { types: Words['taxonomy'] }) {
  const type = one(filters.propertyTypes);
  const chosen = types.find(({ token }) => token === type);
  return (
    <>
      <Choice
        id="type"
        label="Building Type"
        value={type}
        options={[
          ['', 'Every type'],
          ...(type === 'several' ? [['several', 'Several types']] : []),
          ...types.map(({ token, label }) => [token, label]),
        ]}
        onChange={(value) => onChange({ propertyTypes: value, propertySubtypes: null })}
      />
      {chosen && (
        <Choice
          id="subtype"
          label="Subtype"
          value={one(filters.propertySubtypes)}
          options={[['', `All ${chosen.label}`], ...chosen.subtypes.map(({ token, label }) => [token, label])]}
          onChange={(value) => onChange({ propertySubtypes: value })}
        />
      )}
    </>
  );
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

const Chip = ({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) => (
  <li>
    <button type="button" class="chip" onClick={onRemove}>
      <span>{SHAPES.includes(name) ? `Drawn ${name === 'bbox' ? 'rectangle' : name}` : `${spaced(name)}: ${shortened(value)}`}</span>
      <span aria-hidden="true">×</span>
      <span class="hidden">, take this filter away</span>
    </button>
  </li>
);

export function Filters({ filters, words, onChange, onClear }: FilterProps & { words: Words | null; onClear: () => void }) {
  const { taxonomy: types, statuses, states } = words ?? { taxonomy: [], statuses: [], states: [] };
  const others = Object.entries(filters).filter(([name]) => !SHOWN.includes(name));
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Typed
        id="q"
        label="Words"
        value={filters.q ?? ''}
        placeholder="solar | battery storage"
        onChange={(value) => onChange({ q: value })}
      />
      <PlaceFields filters={filters} states={states} onChange={onChange} />
      <UseFields filters={filters} types={types} onChange={onChange} />
      <Choice
        id="dates"
        label="Meetings"
        value={filters.dateRange ?? ''}
        options={RANGES}
        onChange={(value) => onChange({ dateRange: value })}
      />
      <div class="pair">
        <Typed
          id="acres"
          kind="number"
          label="Acres from"
          value={filters.acreageMin ?? ''}
          onChange={(value) => onChange({ acreageMin: value })}
        />
        <Typed
          id="units"
          kind="number"
          label="Units from"
          value={filters.totalUnitCountMin ?? ''}
          onChange={(value) => onChange({ totalUnitCountMin: value })}
        />
      </div>
      <Checks
        legend="Status"
        chosen={split(filters.status)}
        options={statuses.map(({ token, label }) => ({ value: token, label }))}
        onChange={(value) => onChange({ status: value.join(',') })}
      />
      {others.length > 0 && (
        <div>
          <h3>Also in the address</h3>
          <ul class="chips">
            {others.map(([name, value]) => (
              <Chip key={name} name={name} value={value} onRemove={() => onChange({ [name]: null })} />
            ))}
          </ul>
        </div>
      )}
      <button type="button" disabled={Object.keys(filters).length === 0} onClick={onClear}>
        Clear every filter
      </button>
    </form>
  );
}
