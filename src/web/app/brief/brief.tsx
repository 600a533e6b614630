/** A site brief: every sentence with its proof, to be read on a screen and on four sheets of paper. */
import { useEffect } from 'preact/hooks';
import type { CompactProject } from '../../../clients/client/generated.ts';
import type { DataOf } from '../shared/answers.ts';
import { call } from '../shared/api.ts';
import { useCall } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { Badge, Pending, ProblemNotice, Problems, SmallAction, SmallButton, Table } from '../shared/ui.tsx';
import { date, joinParts, moment } from '../shared/words.ts';

type Brief = DataOf<'getBrief'>;
type Section = Brief['sections'][number];
type ToldStatement = Section['statements'][number];

const TITLES: Readonly<Record<Section['id'], string>> = {
  summary: 'In short',
  precedents: 'What was asked for here, and what became of it',
  odds: 'How likely it is',
  timeline: 'How long it takes',
  restrictions: 'What binds',
  hearings: 'Hearings ahead, and who decides',
  zoning: 'Zoning',
  coverage: 'What we know, and what we do not',
};

/** The request that repeats a statement. */
const ProofCall = ({ call: { method, path, body } }: { call: NonNullable<ToldStatement['call']> }) => (
  <details class="brief-call">
    <summary>Proof</summary>
    <code>
      {method} {decodeURIComponent(path)}
      {body && ` ${JSON.stringify(body)}`}
    </code>
  </details>
);

/** Days as the page writes them: `Nov 8, 2026`. */
const withDays = (text: string) => text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => date(day));

const Told = ({ statement: { text, basis, call: proof, quote, projectId } }: { statement: ToldStatement }) => (
  <li class={basis === 'none' ? 'unknown' : ''}>
    {withDays(text)}
    {quote && <blockquote>{quote}</blockquote>}
    <span class="brief-proof">
      {projectId && <StateLink to={{ brief: null, tab: 'map', project: projectId }}>Record</StateLink>}
      {proof && <ProofCall call={proof} />}
    </span>
  </li>
);

const SectionPart = ({ id, statements }: Section) => (
  <section class={`brief-section ${id}`} aria-labelledby={`brief-${id}`}>
    <h2 id={`brief-${id}`}>{TITLES[id]}</h2>
    <ul>
      {statements.map((statement) => (
        <Told statement={statement} />
      ))}
    </ul>
  </section>
);

function Precedents({ precedents }: Pick<Brief, 'precedents'>) {
  if (!precedents.length) return null;
  const rows = (precedents as unknown as CompactProject[]).map((record) => [
    <StateLink to={{ brief: null, tab: 'map', project: record.id }}>
      {record.projectName ?? record.address ?? `Project ${record.id}`}
    </StateLink>,
    joinParts(record.address, record.city, record.state),
    <Badge token={record.status} label={record.statusLabel} />,
    date(record.meetingDate),
  ]);
  return (
    <section class="brief-section brief-records" aria-labelledby="brief-records">
      <h2 id="brief-records">The precedents</h2>
      <Table label="Precedents" heads={['Project', 'Place', 'Status', 'Meeting']} rows={rows} />
    </section>
  );
}

function Actions({ id }: { id: string }) {
  const { state, go } = usePage();
  const remove = async () => {
    await call('deleteBrief', { id });
    go({ ...state, brief: null });
  };
  return (
    <div class="actions brief-actions">
      <SmallButton onClick={() => print()}>Print</SmallButton>
      <SmallAction work={remove}>Delete</SmallAction>
      <StateLink to={{ brief: null }}>Close</StateLink>
    </div>
  );
}

function Sheet({ brief: { id, place, use, asOf, generation, createdAt, expiresAt, sections, precedents, url } }: { brief: Brief }) {
  const labelOf = (token: string | null | undefined) => token?.replaceAll('_', ' ');
  const uses = use ? [use.assetClass ?? use.subtype ?? use.type].map(labelOf) : ['any use'];
  useEffect(() => {
    document.title = `Site brief: ${place.label} - Land Use Intelligence`;
  }, [place.label]);
  return (
    <article class="sheet brief">
      <h1>Site brief: {place.label}</h1>
      <p class="lead">
        {joinParts(
          `For ${uses[0]}`,
          `made ${moment(createdAt)}`,
          `of the release of ${moment(asOf)}`,
          generation && `generation ${generation}`,
        )}
      </p>
      <Problems>
        <Actions id={id} />
        <ProblemNotice />
      </Problems>
      {sections.map((section) => (
        <SectionPart {...section} />
      ))}
      <Precedents precedents={precedents} />
      <p class="note">
        No legal advice. What no minutes or inventory of ours state is not in it. Kept until {date(expiresAt)}.
        <span class="printed"> {url}</span>
      </p>
    </article>
  );
}

/** The brief that the address names. */
export function BriefPage({ id }: { id: string }) {
  const asked = useCall('getBrief', { id });
  return (
    <>
      <Pending asked={asked} what="Reading the brief" />
      {asked.answer && !asked.problem && <Sheet brief={asked.answer.data} />}
    </>
  );
}
