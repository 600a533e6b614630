/** The objects inside a record as answers show them: every declared key, null where nothing is stated, and a label beside every token. Pure. */
import type {
  Classification,
  Decision,
  MeetingDocumentReference,
  Party,
  StatusHistoryEntry,
  UnitMixEntry,
  Vote,
  VoteTotals,
} from './record/statement.ts';
import * as vocabulary from './vocabulary.ts';

const body = (token: string | null | undefined) => ({
  decisionBody: token ?? null,
  decisionBodyLabel: vocabulary.decisionBodies.label(token),
});

const publicVote = ({ name, vote }: Vote) => ({ name: name ?? null, vote: vote ?? null, voteLabel: vocabulary.votes.label(vote) });

export const publicDecision = ({ decisionBody, decisionType, status, meetingDate, motion, votes }: Decision) => ({
  ...body(decisionBody),
  decisionType: decisionType ?? null,
  decisionTypeLabel: vocabulary.decisionTypes.label(decisionType),
  status: status ?? null,
  statusLabel: vocabulary.statuses.label(status),
  meetingDate: meetingDate ?? null,
  motion: motion ?? null,
  votes: votes?.map(publicVote) ?? null,
});

export const publicStatusChange = ({ status, date, decisionBody }: StatusHistoryEntry) => ({
  status: status ?? null,
  statusLabel: vocabulary.statuses.label(status),
  date: date ?? null,
  ...body(decisionBody),
});

export const publicDocumentReference = ({ meetingDocumentId, title, decisionBody, meetingDate, url }: MeetingDocumentReference) => ({
  meetingDocumentId,
  title: title ?? null,
  ...body(decisionBody),
  meetingDate: meetingDate ?? null,
  url: url ?? null,
});

export const publicParty = ({ role, name }: Party) => ({
  role: role ?? null,
  roleLabel: vocabulary.partyRoles.label(role),
  name: name ?? null,
});

export const publicClassification = ({ type, role }: Classification) => ({
  type,
  typeLabel: vocabulary.propertyTypes.label(type),
  role: role ?? null,
  roleLabel: vocabulary.landUseRoles.label(role),
});

export const publicUnits = ({ unitType, count }: UnitMixEntry) => ({ unitType: unitType ?? null, count: count ?? null });

export const publicVoteTotals = ({ yes, no, abstain, absent }: VoteTotals) => ({
  yes: yes ?? null,
  no: no ?? null,
  abstain: abstain ?? null,
  absent: absent ?? null,
});
