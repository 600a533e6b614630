/**
 * Meetings as Legistar's Web API gives them (webapi.legistar.com/v1/CLIENT, its help pages `Help/Api/GET-v1-Client-Events`,
 * `…-EventItems`, `…-EventItems-EventItemId-Votes`): events, their items, and the votes of an item, in one file in any nesting. Pure.
 */
import { type ApiItem, type ApiMeeting, type ApiObject, dayOf, labelled, textOfValue } from './meeting.ts';

export const isLegistarEvent = (object: ApiObject) => 'EventId' in object && 'EventBodyName' in object;
export const isLegistarItem = (object: ApiObject) => 'EventItemId' in object && 'EventItemTitle' in object;
export const isLegistarVote = (object: ApiObject) => 'VotePersonName' in object && 'VoteValueName' in object;

/** Objects of a file with the object that holds them. */
export type HeldObject = [object: ApiObject, holder: ApiObject | undefined];

function votesByWord(votes: readonly ApiObject[]): Map<string, string[]> {
  const byWord = new Map<string, string[]>();
  for (const vote of votes) {
    const [word, name] = [textOfValue(vote.VoteValueName), textOfValue(vote.VotePersonName)];
    if (word && name) byWord.set(word, [...(byWord.get(word) ?? []), name]);
  }
  return byWord;
}

function readItem(item: ApiObject, votes: readonly ApiObject[]): ApiItem {
  const motion = {
    action:
      [textOfValue(item.EventItemActionName), textOfValue(item.EventItemActionText)].filter((text) => text !== null).join('\n') || null,
    mover: textOfValue(item.EventItemMover),
    seconder: textOfValue(item.EventItemSeconder),
    result: textOfValue(item.EventItemPassedFlagName),
    tally: textOfValue(item.EventItemTally),
    votes: votesByWord(votes),
  };
  const isEmpty = motion.votes.size === 0 && Object.values(motion).every((value) => value === null || typeof value === 'object');
  const name = item.EventItemMatterName === item.EventItemTitle ? null : item.EventItemMatterName;
  return {
    number: textOfValue(item.EventItemAgendaNumber),
    title: textOfValue(item.EventItemTitle) ?? '',
    lines: [
      ...labelled('File', item.EventItemMatterFile),
      ...labelled('Name', name),
      ...labelled('Type', item.EventItemMatterType),
      ...[item.EventItemAgendaNote, item.EventItemMinutesNote].flatMap((note) => textOfValue(note) ?? []),
    ],
    motions: isEmpty ? [] : [motion],
  };
}

const sequence = (item: ApiObject) => Number(item.EventItemMinutesSequence || item.EventItemAgendaSequence || 0);

/** Items that no event of the file holds become a meeting without a date. */
export function readLegistar(events: readonly ApiObject[], items: readonly HeldObject[], votes: readonly HeldObject[]): ApiMeeting[] {
  const byItem = Map.groupBy(votes, ([vote, holder]) => vote.VoteEventItemId ?? holder?.EventItemId);
  const byEvent = Map.groupBy(items, ([item, holder]) => item.EventItemEventId ?? holder?.EventId);
  const known = new Set(events.map((event) => event.EventId));
  const lost = [...byEvent.keys()].filter((id) => !known.has(id)).map((EventId): ApiObject => ({ EventId }));
  return [...events, ...lost].map((event) => {
    const ofEvent = (byEvent.get(event.EventId) ?? []).map(([item]) => item).sort((one, other) => sequence(one) - sequence(other));
    const read = ofEvent.map((item) =>
      readItem(
        item,
        (byItem.get(item.EventItemId) ?? []).map(([vote]) => vote),
      ),
    );
    const hasOutcome = read.some(({ motions }) => motions.length > 0);
    return {
      format: 'legistar',
      title: textOfValue(event.EventBodyName),
      date: dayOf(event.EventDate),
      place: textOfValue(event.EventLocation),
      url: textOfValue(event.EventInSiteURL),
      kind: hasOutcome ? 'minutes' : read.length > 0 ? 'agenda' : 'notice',
      items: read,
      lines: textOfValue(event.EventComment)?.split('\n') ?? [],
    };
  });
}
