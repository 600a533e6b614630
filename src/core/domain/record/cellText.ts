/** Lists and objects of a record as text in a cell of a CSV: entries joined by `; `, without nulls. */
import type { Static, TSchema } from 'typebox';
import type * as nested from './nested.ts';

type Served<T extends { served: TSchema }> = Static<T['served']>;

const joinPresent = (parts: readonly (string | null | undefined)[]) =>
  parts.filter((part) => part !== null && part !== undefined && part !== '');
const entries =
  <T>(text: (entry: T) => string) =>
  (list: readonly T[]) =>
    joinPresent(list.map(text)).join('; ');
/** `developer: Acme Homes LLC`; only the text if there is no name. */
const named = (name: string | null, text: string) => joinPresent([name, text]).join(': ');
/** `303-555-0100 (directory)` */
const withSource = (channel: string | null, source: string | null) => (channel && source ? `${channel} (${source})` : channel);

/** Words or numbers. */
export const words = entries(String);

/** `Residential > Single Family > Custom Home`, and the levels that matched the request in brackets. */
export const landUses = entries<Served<typeof nested.landUse>>((use) => {
  const levels = [use.typeLabel ?? use.type, use.subtypeLabel ?? use.subtype, use.assetClassLabel ?? use.assetClass];
  const matched = use.matchedOn.length ? ` [matched: ${use.matchedOn.join(', ')}]` : '';
  return `${joinPresent(levels).join(' > ')}${matched}`;
});

export const classifications = entries<Served<typeof nested.classification>>(({ role, type, typeLabel }) => named(role, typeLabel ?? type));

export const unitMix = entries<Static<typeof nested.unitMixEntry>>(({ unitType, count }) => named(unitType, String(count)));

export const parties = entries<Served<typeof nested.party>>(({ role, name }) => named(role, name));

/** In the order of the record, which begins with the primary contact. */
export const contacts = entries<Served<typeof nested.contact>>((contact) => {
  const { name, title, company, email, emailSource, phone, phoneSource, linkedin, linkedinSource } = contact;
  const channels = [withSource(email, emailSource), withSource(phone, phoneSource), withSource(linkedin, linkedinSource)];
  return named(contact.role, joinPresent([name, title, company, ...channels]).join(', '));
});

export const companies = entries<Served<typeof nested.company>>(({ name, archetype, website, linkedin, mainPhone }) =>
  joinPresent([name, archetype, website, linkedin, mainPhone]).join(', '),
);

/** `2026-10-01 City Council: Approved` */
export const decisions = entries<Served<typeof nested.decision>>((one) =>
  named(
    joinPresent([one.meetingDate, one.decisionBodyLabel ?? one.decisionBody]).join(' '),
    one.statusLabel ?? one.decisionTypeLabel ?? one.status ?? one.decisionType ?? '',
  ),
);

/** `2026-10-01: Approved` */
export const statuses = entries<Served<typeof nested.statusHistoryEntry>>(({ date, status, statusLabel }) =>
  named(date, statusLabel ?? status),
);

export const documents = entries<Served<typeof nested.meetingDocument>>(({ meetingDate, meetingDocumentId, title }) =>
  named(meetingDate, title ?? String(meetingDocumentId)),
);

/** `contactCount: 2; withEmail: 1; …` */
export const properties = (object: Readonly<Record<string, unknown>>): string =>
  Object.entries(object)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
