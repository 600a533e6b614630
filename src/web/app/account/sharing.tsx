/** Who else sees an alert or a list: nobody, the team, or some of it. */
import { useState } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { callCached } from '../shared/api.ts';
import { useAnswer, useLatest } from '../shared/hooks.ts';
import { Check } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { asProblem } from '../shared/problems.ts';
import { showToast } from '../shared/toasts.tsx';
import { PartCard, useProblems } from '../shared/ui.tsx';

type Share = SavedList['share'];
type ShareChange = Partial<Pick<Share, 'mode' | 'userIds' | 'optOutUserIds'>>;

export const SHARED_WITH: Readonly<Record<Share['mode'], string>> = {
  private: 'Nobody else',
  team: 'The whole team',
  custom: 'Chosen team-mates',
};

const changeBackTo = ({ mode, userIds, optOutUserIds }: Share): ShareChange => ({
  mode,
  ...(mode === 'custom' ? { userIds } : {}),
  ...(mode === 'team' ? { optOutUserIds } : {}),
});

/** Team-mates whose names the reader may know, since they are members of a list or alert with the reader. */
async function readTeammates(signal: AbortSignal): Promise<Map<number, string>> {
  const [lists, alerts] = await Promise.all([callCached('listLists', {}, { signal }), callCached('listAlerts', {}, { signal })]);
  const entries: { share: Share }[] = [...lists.data, ...alerts.data];
  return new Map(entries.flatMap(({ share }) => share.members.map(({ userId, name }) => [userId, name] as const)));
}

interface SharingProps {
  share: Share;
  createdBy: number;
  /** what is shared: 'alert' or 'list' */
  what: string;
  onChange: (share: ShareChange) => Promise<void>;
}

interface TeamMembersProps extends Pick<SharingProps, 'share' | 'createdBy'> {
  known: ReadonlyMap<number, string>;
  isDisabled: boolean;
  onToggle: (id: number, sees: boolean, name: string) => void;
}

/** A checkbox for each team-mate. */
function TeamMembers({ share, createdBy, known, isDisabled, onToggle }: TeamMembersProps) {
  const members = new Set(share.members.map(({ userId }) => userId));
  const names = new Map([...known, ...share.members.map(({ userId, name }) => [userId, name] as const)]);
  for (const id of [...share.optOutUserIds, ...share.userIds]) if (!names.has(id)) names.set(id, `User ${id}`);
  return (
    <fieldset disabled={isDisabled}>
      <legend>Who sees it</legend>
      {[...names].map(([id, name]) => (
        <Check
          key={id}
          checked={members.has(id)}
          disabled={id === createdBy}
          onChange={() => onToggle(id, !members.has(id), name)}
          label={id === createdBy ? `${name} (made it)` : name}
        />
      ))}
      {names.size === 1 && <p class="note">Team-mates are named here once anything was shared with the whole team.</p>}
    </fieldset>
  );
}

function SharingFields({ share, createdBy, what, onChange }: SharingProps) {
  const { report } = useProblems();
  const mates = useAnswer(readTeammates, [share.mode]);
  const latest = useLatest(share);
  // A share that was read again is another object: until then no further change begins from the one before.
  const [changedFrom, setChangedFrom] = useState<Share | null>(null);
  const isBusy = changedFrom === share;
  const change = async (next: ShareChange, said: string, back: () => ShareChange = () => changeBackTo(share)) => {
    report(null);
    setChangedFrom(share);
    try {
      await onChange(next);
      showToast(said, () => onChange(back()));
    } catch (error) {
      setChangedFrom(null);
      report(asProblem(error));
    }
  };
  /** One person more or fewer than see it now. */
  const withPerson = (id: number, sees: boolean): ShareChange => {
    const { mode, optOutUserIds, userIds } = latest.current;
    const withoutPerson = (ids: readonly number[]) => ids.filter((one) => one !== id);
    if (mode === 'team') return { optOutUserIds: sees ? withoutPerson(optOutUserIds) : [...withoutPerson(optOutUserIds), id] };
    return { userIds: sees ? [...withoutPerson(userIds), id] : withoutPerson(userIds) };
  };
  const toggle = (id: number, sees: boolean, name: string) =>
    change(withPerson(id, sees), sees ? `${name} sees it.` : `${name} no longer sees it.`, () => withPerson(id, !sees));
  /** Everybody who saw it as a member of the team stays chosen. */
  const choose = (mode: Share['mode']) =>
    change(
      { mode, ...(mode === 'custom' ? { userIds: share.members.map(({ userId }) => userId) } : {}) },
      `Shared with: ${SHARED_WITH[mode].toLowerCase()}.`,
    );
  const isPaid = usePage().account.plan.paid;
  return (
    <>
      <fieldset disabled={!isPaid || isBusy}>
        <legend class="hidden">Shared with</legend>
        {Object.entries(SHARED_WITH).map(([mode, label]) => (
          <Check key={mode} radio="share" checked={share.mode === mode} onChange={() => choose(mode as Share['mode'])} label={label} />
        ))}
      </fieldset>
      {share.mode !== 'private' && mates.answer && (
        <TeamMembers {...{ share, createdBy }} isDisabled={isBusy} onToggle={toggle} known={mates.answer} />
      )}
      <p class="note">{isPaid ? `Whoever sees the ${what} may change, share and delete it.` : 'Sharing needs a paid plan.'}</p>
    </>
  );
}

export const Sharing = (given: SharingProps) => (
  <PartCard title="Shared with">
    <SharingFields {...given} />
  </PartCard>
);
