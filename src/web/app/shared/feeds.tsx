/** Feeds of an alert or of hearings: addresses for readers and calendars, shown once, and those made before. */
import { useEffect, useState } from 'preact/hooks';
import { CriteriaWords } from './criteria.tsx';
import type { Asked } from './hooks.ts';
import { SecretAddress } from './secretAddress.tsx';
import { Action, PartCard, Pending, PrimaryAction } from './ui.tsx';
import { type Criteria, moment } from './words.ts';

/** Addresses by the fields of an answer, with what each is for. */
const FORMATS = {
  icsUrl: 'Address for calendars (iCalendar)',
  rssUrl: 'Address for readers (RSS)',
  jsonUrl: 'Address for programs (JSON Feed)',
} as const;
type Format = keyof typeof FORMATS;
type MadeFeed = { id: string } & Partial<Record<Format, string | null>>;

const Addresses = ({ made }: { made: MadeFeed }) => (
  <div role="status" class="notice calm">
    <p>
      <strong>The address is ready.</strong> Copy it now: it is shown this once, and whoever knows it can read the feed until you remove it.
    </p>
    {(Object.keys(FORMATS) as Format[]).map(
      (format) => made[format] && <SecretAddress key={format} id={format} label={FORMATS[format]} address={made[format]} />,
    )}
    {made.icsUrl && (
      <p class="note">
        <a href={made.icsUrl.replace(/^https?:/, 'webcal:')}>Open it in the calendar of this computer</a>, or paste it. Google Calendar:
        Other calendars, From URL. Outlook: Add calendar, Subscribe from web. Apple Calendar: File, New Calendar Subscription.
      </p>
    )}
  </div>
);

interface FeedsProps {
  title: string;
  note: string;
  feeds: Asked<{ data: readonly { id: string; createdAt: string; filters?: Criteria }[] } | null>;
  make: () => Promise<MadeFeed>;
  /** what the button that makes one says */
  makes: string;
  remove: (id: string) => Promise<unknown>;
}

export function Feeds({ title, note, feeds, make, makes, remove }: FeedsProps) {
  const [made, setMade] = useState<MadeFeed | null>(null);
  useEffect(() => {
    const [format] = (Object.keys(FORMATS) as Format[]).filter((one) => made?.[one]);
    if (format) document.getElementById(format)?.focus();
  }, [made]);
  const add = async () => {
    setMade(await make());
    feeds.again();
  };
  const end = async (id: string) => {
    if (!confirm('Remove this feed? Its address stops working for everyone who reads it, and cannot be restored.')) return;
    await remove(id);
    if (made?.id === id) setMade(null);
    feeds.again();
  };
  return (
    <PartCard title={title} note={note}>
      <Pending asked={feeds} />
      {made && <Addresses made={made} />}
      <p class="actions">
        <PrimaryAction work={add}>{makes}</PrimaryAction>
      </p>
      <ul class="recipients">
        {feeds.answer?.data.map(({ id, createdAt, filters }) => (
          <li key={id}>
            Made {moment(createdAt)}
            {filters && ': '}
            {filters && <CriteriaWords filters={filters} />}{' '}
            <Action kind="small danger" work={() => end(id)}>
              Remove<span class="hidden"> the feed made {moment(createdAt)}</span>
            </Action>
          </li>
        ))}
      </ul>
    </PartCard>
  );
}
