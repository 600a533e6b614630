/** The people and companies of a record, and the look-up of how to reach them. */

import type { ReadRecord } from '../shared/facts.ts';
import { countInWords, joinParts } from '../shared/words.ts';
import { LookUp } from './lookUp.tsx';
import { Part } from './parts.tsx';

type Contact = NonNullable<ReadRecord['contacts']>[number];
type Company = NonNullable<ReadRecord['companyEnrichment']>[number];

const isWeb = (url: string | null): url is string => /^https?:\/\//.test(url ?? '');

const WebLink = ({ url, children }: { url: string | null; children: string }) =>
  isWeb(url) ? (
    <a href={url} rel="noreferrer">
      {children}
    </a>
  ) : null;

const Person = ({ person: { name, role, company, title, email, phone, linkedin } }: { person: Contact }) => (
  <li>
    <strong>{name ?? company ?? 'Not named'}</strong>
    <span class="note">{joinParts(role?.replaceAll('_', ' '), title, name && company)}</span>
    {email && (
      <span>
        <a href={`mailto:${email}`}>{email}</a>
      </span>
    )}
    {phone && (
      <span>
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
      </span>
    )}
    <WebLink url={linkedin}>LinkedIn</WebLink>
  </li>
);

const CompanyItem = ({ company: { name, website, mainPhone, linkedin } }: { company: Company }) => (
  <li>
    <strong>{name ?? 'Not named'}</strong>
    <span class="note">{joinParts('Company', mainPhone)}</span>
    <WebLink url={website}>{website?.replace(/^https?:\/\//, '') ?? ''}</WebLink> <WebLink url={linkedin}>LinkedIn</WebLink>
  </li>
);

/** People first, as the record has them; then companies. */
export function Contacts({ record: { id, contacts, companyEnrichment, contactSummary } }: { record: ReadRecord }) {
  const { unlocked, lowConfidenceWithheld } = contactSummary;
  return (
    <Part title="Contacts">
      <ul class="contacts">
        {(contacts ?? []).map((person) => (
          <Person key={`${person.name} ${person.company} ${person.email}`} person={person} />
        ))}
        {(companyEnrichment ?? []).map((company) => (
          <CompanyItem key={`${company.name} ${company.website}`} company={company} />
        ))}
      </ul>
      {!contacts?.length && <p class="note">The filing names nobody.</p>}
      {lowConfidenceWithheld > 0 && <p class="note">{countInWords(lowConfidenceWithheld, 'channel')} withheld: not certain enough.</p>}
      <LookUp id={id} isUnlocked={unlocked} />
    </Part>
  );
}
