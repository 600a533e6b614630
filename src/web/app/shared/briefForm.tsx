/** A site brief, made by one button at a price that it says first. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../clients/client/generated.ts';
import { call, spend } from './api.ts';
import { useCall } from './hooks.ts';
import { optionsOf, Select } from './inputs.tsx';
import { usePage } from './page.ts';
import { requoteIfDearer } from './problems.ts';
import type { PageState } from './state.ts';
import { MoreCredits, Pending, PrimaryAction } from './ui.tsx';
import { countInWords } from './words.ts';

type BriefBody = Operations['createBrief']['input']['body'];

/** How many precedents may be chosen, by their number as text. */
const PRECEDENTS = { '0': 'None', '5': '5', '10': '10', '20': '20' } as const;
const ANY_USE = '';

/** Uses by their subtype, or their type alone. */
function useOptions(words: ReturnType<typeof usePage>['words']) {
  const uses = (words?.taxonomy ?? []).flatMap(({ token, label, subtypes }) => [
    { value: token, label },
    ...subtypes.map((subtype) => ({ value: `${token} ${subtype.token}`, label: `${label}: ${subtype.label}` })),
  ]);
  return [{ value: ANY_USE, label: 'Any use' }, ...uses];
}

/** The option of the use that the filters name; any use where they name none or several. */
function useOfFilters({ propertyTypes = '', propertySubtypes = '' }: PageState['filters'], options: ReturnType<typeof useOptions>): string {
  const named = options.find(({ value }) => (propertySubtypes ? value.endsWith(` ${propertySubtypes}`) : value === propertyTypes));
  return named?.value ?? ANY_USE;
}

/** @param choosesUse whether the place has no use of its own */
export function BriefForm({ place, choosesUse = false }: { place: BriefBody['place']; choosesUse?: boolean }) {
  const { state, go, words, account, onSpent } = usePage();
  const [most, setMost] = useState('5');
  const [picked, setPicked] = useState<string | null>(null);
  const options = useOptions(words);
  const chosen = picked ?? (choosesUse ? useOfFilters(state.filters, options) : ANY_USE);
  const [type, subtype] = chosen.split(' ');
  const body: BriefBody = { place, ...(type ? { use: { type, ...(subtype ? { subtype } : {}) } } : {}), maxPrecedents: Number(most) };
  const price = useCall('priceBrief', { body });
  const credits = price.answer?.data.creditsRequired ?? 0;
  const isTooDear = credits > account.balance;
  const make = async () => {
    const { data, meta } = await call('createBrief', { body }, spend(credits)).catch(requoteIfDearer(price.again));
    if (meta.creditsUsed) onSpent();
    go({ ...state, brief: data.id });
  };
  return (
    <div class="row">
      {choosesUse && <Select id="brief-use" label="Use" value={chosen} options={options} onChange={setPicked} />}
      <Select id="brief-precedents" label="Precedents" value={most} options={optionsOf(PRECEDENTS)} onChange={setMost} />
      <Pending asked={price} what="Asking for the price" />
      {price.answer && !price.problem && (
        <>
          <PrimaryAction work={make} disabled={price.loading || isTooDear}>
            {credits > 0 ? `Make the brief for ${countInWords(credits, 'credit')}` : 'Make the brief, free'}
          </PrimaryAction>
          {isTooDear && <MoreCredits />}
          <p class="note">
            What is known of the place: {countInWords(price.answer.data.precedents, 'precedent')}, odds, what binds, hearings, zoning, and
            what is not known. It prints, and is kept for 30 days.
          </p>
        </>
      )}
    </div>
  );
}
