/** The layer of restrictions: its switch on the map, and the panel that says what a place is restricted by. */
import { useEffect } from 'preact/hooks';
import { findEnd } from '../../../core/domain/restriction/status.ts';
import { callCached, onceRead } from '../shared/api.ts';
import { type Asked, useAnswer } from '../shared/hooks.ts';
import { settings } from '../shared/settings.ts';
import { Badge, Button, PanelHead, Pending, SmallButton } from '../shared/ui.tsx';
import { countInWords, date } from '../shared/words.ts';
import { NOTHING_DRAWN } from './geoJson.ts';
import type { MapView } from './mapView.ts';
import { type AreaTopology, drawRestrictions, type ListedRestriction } from './restrictionLayer.ts';

const readAreas = onceRead<AreaTopology>(settings.outlines.areas);
const PAGE = 100;

interface InForce {
  restrictions: ListedRestriction[];
  on: string;
}

/** Every restriction of the licence that is in force. */
async function readInForce(signal: AbortSignal): Promise<InForce> {
  const restrictions: ListedRestriction[] = [];
  for (;;) {
    const { data, meta } = await callCached(
      'listRestrictions',
      { statuses: ['in_force', 'extended'], sort: 'ends', limit: PAGE, offset: restrictions.length },
      { signal },
    );
    restrictions.push(...data);
    if (!data.length || restrictions.length >= meta.total) return { restrictions, on: meta.on };
  }
}

/** Reads and draws the layer while it is on. */
export function useRestrictions(map: MapView | null, isOn: boolean): Asked<InForce | null> {
  const asked = useAnswer(async (signal) => (isOn ? readInForce(signal) : null), [isOn]);
  const drawn = useAnswer(
    async () => (asked.answer ? drawRestrictions(asked.answer.restrictions, await readAreas()) : NOTHING_DRAWN),
    [asked.answer],
  );
  useEffect(() => map?.restrictions(isOn && drawn.answer ? drawn.answer : NOTHING_DRAWN), [map, isOn, drawn.answer]);
  return { ...asked, problem: asked.problem ?? drawn.problem };
}

/** Its words of what became of it, else the first. */
const quoteOf = ({ evidence }: ListedRestriction) => (evidence.find(({ field }) => field === 'status') ?? evidence[0])?.quote;

function Row({ restriction, on }: { restriction: ListedRestriction; on: string }) {
  const { title, status, place, usesText, endEvent, sourceDocumentUrl } = restriction;
  const end = findEnd(restriction, on);
  const quote = quoteOf(restriction);
  return (
    <li>
      <p>
        <strong>{title}</strong> <Badge token={status} label={status.replace('_', ' ')} />
      </p>
      <p class="note">
        {place.jurisdiction}, {place.state}: {usesText}. {end ? `Ends ${date(end)}` : (endEvent ?? 'No end is known')}.
      </p>
      {quote && <blockquote>{quote}</blockquote>}
      {sourceDocumentUrl && <a href={sourceDocumentUrl}>Source</a>}
    </li>
  );
}

interface RestrictionsPanelProps {
  asked: Asked<InForce | null>;
  /** those that were clicked; null for all */
  ids: readonly number[] | null;
  onAll: () => void;
  onClose: () => void;
}

export function RestrictionsPanel({ asked, ids, onAll, onClose }: RestrictionsPanelProps) {
  const { restrictions = [], on = '' } = asked.answer ?? {};
  const shown = restrictions.filter(({ id }) => !ids || ids.includes(id));
  return (
    <section class="panel" aria-labelledby="restrictions-title">
      <PanelHead id="restrictions-title" title={ids ? 'Restricted here' : 'Restrictions in force'} onClose={onClose} />
      <Pending asked={asked} what="Reading restrictions" />
      {asked.answer && <p class="note">{countInWords(shown.length, 'restriction')}. Areas and points are jurisdictions, not sites.</p>}
      <ul class="restrictions">
        {shown.map((one) => (
          <Row key={one.id} restriction={one} on={on} />
        ))}
      </ul>
      {ids && <SmallButton onClick={onAll}>Show all</SmallButton>}
    </section>
  );
}

export const RestrictionSwitch = ({ isOn, onSwitch }: { isOn: boolean; onSwitch: () => void }) => (
  <Button aria-label="Restrictions in force" title="Restrictions in force" aria-pressed={isOn} onClick={onSwitch}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12" />
    </svg>
  </Button>
);
