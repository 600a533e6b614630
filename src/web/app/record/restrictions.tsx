/** What restricts the use of a record's place: today, and on the day of its meeting; with the words, and with its course. */
import { findEnd } from '../../../core/domain/restriction/status.ts';
import type { DataOf } from '../shared/answers.ts';
import type { ReadRecord } from '../shared/facts.ts';
import { useCall } from '../shared/hooks.ts';
import { Pending } from '../shared/ui.tsx';
import { date } from '../shared/words.ts';
import { Part } from './parts.tsx';

type Checked = DataOf<'checkRestrictions'>;
type BindingRestriction = Checked['restrictions'][number];

const KINDS: Readonly<Record<BindingRestriction['kind'], string>> = {
  moratorium: 'A moratorium',
  ban: 'A ban',
  interim_ordinance: 'An interim ordinance',
};

/** Whether it binds, and until when. @param on the day, `YYYY-MM-DD` */
export function describeBinding(restriction: BindingRestriction, isCertain: boolean, on: string): string {
  const end = findEnd(restriction, on);
  return `${KINDS[restriction.kind]} ${isCertain ? 'binds' : 'may bind'} here${end ? ` until ${date(end)}` : isCertain ? ', without an end' : ''}`;
}

/** Its steps with their days, in order. */
function Steps({ restriction }: { restriction: BindingRestriction }) {
  const { adoptedOn, adoptedOnPrecision, effectiveFrom, effectiveTo, endEvent, extensions } = restriction;
  const day = (of: string) => (adoptedOnPrecision === 'day' ? date(of) : of.slice(0, adoptedOnPrecision === 'month' ? 7 : 4));
  const steps = [
    adoptedOn && `adopted ${day(adoptedOn)}`,
    effectiveFrom && effectiveFrom !== adoptedOn && `in effect from ${date(effectiveFrom)}`,
    effectiveTo && `first to end ${date(effectiveTo)}`,
    ...extensions.map(({ on, to }) => `extended ${date(on)}${to ? ` to ${date(to)}` : ''}`),
    endEvent && `ends by an event: ${endEvent}`,
  ].filter(Boolean);
  return <p class="note">{steps.join('; ')}</p>;
}

function Found({ restriction, because: [first], isCertain, on }: { because: Checked['because']; isCertain: boolean } & FoundProps) {
  return (
    <li>
      <p>
        <strong>{describeBinding(restriction, isCertain, on)}</strong>: {first?.text}
      </p>
      {first?.quote && <blockquote>{first.quote}</blockquote>}
      {first?.quotedFrom === 'inventory' && <p class="note">In the words of an inventory, not of the instrument</p>}
      <Steps restriction={restriction} />
      {restriction.sourceDocumentUrl && (
        <p class="note">
          <a href={restriction.sourceDocumentUrl}>Source of {restriction.place.jurisdiction}</a>
        </p>
      )}
    </li>
  );
}

interface FoundProps {
  restriction: BindingRestriction;
  on: string;
}

/** Nothing where none binds or may bind. `because` says first of each what decides. */
function FoundRestrictions({ title, checked: { because, restrictions, on } }: { title: string; checked: Checked }) {
  if (!restrictions.length) return null;
  return (
    <Part title={title}>
      <ul class="restrictions">
        {restrictions.map((restriction) => {
          const own = because.filter(({ restrictionId }) => restrictionId === restriction.id);
          return <Found key={restriction.id} restriction={restriction} because={own} isCertain={own[0]?.binds === 'yes'} on={on} />;
        })}
      </ul>
      <p class="note">
        By <a href="/docs/guides/restrictions">the restrictions that the service knows</a>; the instrument itself decides.
      </p>
    </Part>
  );
}

/** What binds today, and what bound on the day of the latest meeting and does no longer. */
export function Restrictions({ record: { id, meetingDate } }: { record: ReadRecord }) {
  const now = useCall('checkRestrictions', { body: { projectId: id } });
  const today = now.answer?.data;
  const then = useCall(
    'checkRestrictions',
    today && meetingDate && meetingDate < today.on ? { body: { projectId: id, on: meetingDate } } : null,
  );
  const isOver = ({ id: known }: BindingRestriction) => !today?.restrictions.some((one) => one.id === known);
  return (
    <>
      {(now.problem || then.problem) && <Pending asked={now.problem ? now : then} />}
      {today && <FoundRestrictions title="What restricts this place" checked={today} />}
      {then.answer && (
        <FoundRestrictions
          title={`Restricted on ${date(then.answer.data.on)}`}
          checked={{ ...then.answer.data, restrictions: then.answer.data.restrictions.filter(isOver) }}
        />
      )}
    </>
  );
}
