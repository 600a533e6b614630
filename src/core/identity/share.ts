/** Sharing of a list or an alert, and who is a member as a result (src/docs/lists.md). Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';

export const SHARE_MODES = ['private', 'team', 'custom'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

export interface Share {
  /** private: only the creator; team: all users of the team except those who opted out; custom: `userIds` and the creator */
  mode: ShareMode;
  userIds: number[];
  optOutUserIds: number[];
}

export const PRIVATE: Share = { mode: 'private', userIds: [], optOutUserIds: [] };

/** An open account of a team. */
export interface Member {
  userId: number;
  name: string;
}

/** The current members of a shared thing, who may see, change and delete it. Closed accounts are not members. */
export function membersOf({ mode, userIds, optOutUserIds }: Share, createdBy: number, roster: readonly Member[]): Member[] {
  const isMember = {
    private: () => false,
    team: (userId: number) => !optOutUserIds.includes(userId),
    custom: (userId: number) => userIds.includes(userId),
  }[mode];
  return roster.filter(({ userId }) => userId === createdBy || isMember(userId));
}

/** Merges a change into a share; ids are distinct and sorted. The creator, and whoever changes a custom share, stay members. */
export function mergeShare(before: Share, sent: Partial<Share> = {}, change?: { createdBy: number; changedBy: number }): Share {
  const distinct = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);
  const mode = sent.mode ?? before.mode;
  const changer = change && change.changedBy !== change.createdBy && Object.keys(sent).length ? [change.changedBy] : [];
  return {
    mode,
    userIds: mode === 'custom' ? distinct([...(sent.userIds ?? before.userIds), ...changer]) : [],
    optOutUserIds: mode === 'team' ? distinct(sent.optOutUserIds ?? before.optOutUserIds) : [],
  };
}

/**
 * Problems of a share: an unpaid plan cannot share, ids have to belong to the team, and each list of ids requires its mode.
 * @param before the current share, whose ids of closed accounts stay allowed
 */
export function findShareProblems(
  sent: Partial<Share>,
  before: Share,
  roster: readonly Member[],
  { plan }: Pick<Principal, 'plan'>,
): RequestRefusal[] {
  const mode = sent.mode ?? before.mode;
  const wrong = (param: string, code: string, message: string): RequestRefusal => ({ param, code, message, answer: 'invalid_request' });
  const known = new Set([...roster.map(({ userId }) => userId), ...before.userIds, ...before.optOutUserIds]);
  const foreign = (name: 'userIds' | 'optOutUserIds') =>
    (sent[name] ?? []).flatMap((id, i) =>
      known.has(id) ? [] : [wrong(`share.${name}.${i}`, 'invalid_value', `share.${name} names ${id}, who is not on your team's roster`)],
    );
  const misplaced = (name: 'userIds' | 'optOutUserIds', wanted: ShareMode) =>
    sent[name]?.length && mode !== wanted
      ? [wrong(`share.${name}`, 'contradiction', `share.${name} is for mode '${wanted}', not '${mode}'; leave it out`)]
      : [];
  const unpaid: RequestRefusal[] =
    mode !== 'private' && !plan.paid
      ? [
          {
            param: 'share.mode',
            code: 'sharing_requires_paid_plan',
            message: `Sharing with mode '${mode}' needs a paid plan; create it private`,
            answer: 'sharing_requires_paid_plan',
          },
        ]
      : [];
  return [
    ...misplaced('userIds', 'custom'),
    ...misplaced('optOutUserIds', 'team'),
    ...foreign('userIds'),
    ...foreign('optOutUserIds'),
    ...unpaid,
  ];
}
