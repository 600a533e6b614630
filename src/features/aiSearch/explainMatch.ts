/** Why a record is an answer, in one or two sentences from a template: what the record is, and what its text says. */
import { cutText } from '../../core/domain/storableText.ts';
import type { Criterion, Verdict } from './question/index.ts';

/** Fields of a served record that `whyThisMatched` may mention. */
export interface Facts {
  projectName?: string | null;
  city?: string | null;
  state?: string | null;
  propertyTypeLabel?: string | null;
  statusLabel?: string | null;
  meetingDate?: string | null;
}

const QUOTED_CHARACTERS_MAX = 160;
const QUOTED_MAX = 2;

const present = (parts: readonly (string | null | undefined)[]) => parts.filter((part): part is string => Boolean(part?.trim()));

/** Shortens a quotation between words and marks the end. */
function shortened(quote: string): string {
  const flat = quote.replace(/\s+/g, ' ').trim();
  if (flat.length <= QUOTED_CHARACTERS_MAX) return flat;
  const cut = flat.slice(0, QUOTED_CHARACTERS_MAX);
  return `${cutText(cut, Math.max(cut.lastIndexOf(' '), QUOTED_CHARACTERS_MAX / 2))}…`;
}

/** @param facts of the served record; what is null is left out */
export function explainMatch(criteria: readonly Criterion[], verdict: Verdict, facts: Facts): string {
  const place = present([facts.city, facts.state]).join(', ');
  const kind = present([facts.propertyTypeLabel]).join('');
  const what = present([facts.projectName]).join('') || 'This project';
  const described = present([
    kind,
    place && `in ${place}`,
    facts.statusLabel && facts.statusLabel !== 'Unknown' ? facts.statusLabel : null,
  ]);
  const first = described.length ? `${what}: ${described.join(', ')}` : `${what} matches the filters of the question`;
  const quotes = criteria.flatMap(({ text }) => {
    const found = verdict.evidence.find((evidence) => evidence.criterion === text);
    return found ? [`“${text}” in “${shortened(found.quote)}”`] : [];
  });
  if (!quotes.length) return `${first}.`;
  const more = quotes.length - QUOTED_MAX;
  return `${first}. Its text answers ${quotes.slice(0, QUOTED_MAX).join(' and ')}${more > 0 ? `, and ${more} more` : ''}.`;
}
