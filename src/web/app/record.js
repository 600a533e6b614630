// The panel of a record: its price before it is read, then what the minutes say, with links to them.
import { useState } from 'preact/hooks';
import { ask, onceKey } from './api.ts';
import { html } from './html.js';
import { Action, Badge, Loading, Notice, useAnswer } from './ui.tsx';
import { counted, date, joined, number } from './words.ts';

/** Facts and figures, with the fields that contain them. */
const FACTS = [
  ['totalUnitCount', 'Units'],
  ['acreage', 'Acres'],
  ['squareFootage', 'Square feet'],
  ['lotCount', 'Lots'],
  ['buildingStories', 'Storeys'],
  ['buildingHeightFeet', 'Height, feet'],
  ['parkingSpaces', 'Parking spaces'],
  ['existingZoning', 'Zoning now'],
  ['proposedZoning', 'Zoning asked for'],
  ['requestTypeLabel', 'Request'],
  ['constructionTypeLabel', 'Construction'],
  ['decisionBodyLabel', 'Decided by'],
  ['nextMeetingDate', 'Next meeting'],
  ['caseNumbers', 'Case'],
  ['parcelNumbers', 'Parcel'],
];

/** @param {unknown} value */
const shown = (value) =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'number'
      ? number(value)
      : /^\d{4}-\d\d-\d\d$/.test(String(value))
        ? date(String(value))
        : String(value);

/** @param {any} record */
const factsOf = (record) =>
  FACTS.map(([field = '', label]) => [label, record[field]]).filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
  );

/** @param {{title: string, children?: any}} given */
const Part = ({ title, children }) => html`<section class="part"><h3>${title}</h3>${children}</section>`;

/** @param {{document: any, account: any}} given */
function Minutes({ document, account }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const read = async () => {
    const { data } = await ask(`/documents/${document.meetingDocumentId}`, { headers: { 'Idempotency-Key': onceKey() } });
    setText(data.text ?? 'The document has no text.');
  };
  return html`<li><strong>${document.title ?? `Document ${document.meetingDocumentId}`}</strong>
    <span class="note">${joined(document.decisionBodyLabel ?? document.decisionBody, date(document.meetingDate))}</span>
    ${problem && html`<${Notice} problem=${problem} />`}
    ${
      text === null
        ? html`<span class="actions"><${Action} kind="small" work=${read} onProblem=${setProblem}>Read the minutes${account.creditRate > 0 && ' (1 credit the first time)'}<//></span>`
        : html`<pre class="minutes" tabindex="0" role="group" aria-label="Text of the minutes">${text}</pre>`
    }
  </li>`;
}

/** @param {{record: any}} given */
const Decisions = ({ record }) =>
  html`<ol class="decisions">${record.decisions.map(
    (/** @type {any} */ decision) => html`<li>
  <p><strong>${date(decision.meetingDate)}</strong> ${decision.decisionBodyLabel} <${Badge} token=${decision.status} label=${decision.statusLabel ?? decision.decisionTypeLabel} /></p>
  ${decision.motion && html`<blockquote>${decision.motion}</blockquote>`}
  ${decision.votes?.length > 0 && html`<p class="note">${decision.votes.map((/** @type {any} */ { name, voteLabel, vote }) => `${name}: ${voteLabel ?? vote}`).join('; ')}</p>`}
</li>`,
  )}</ol>`;

/** @param {{record: any, account: any}} given */
function Read({ record, account }) {
  const facts = factsOf(record);
  const said = record.originalRawText ?? record.rawText;
  const documents = record.meetingDocuments ?? [];
  return html`
    <p class="badges"><${Badge} token=${record.status} label=${record.statusLabel} /> <span class="badge">${record.assetClassLabel ?? record.propertySubtypeLabel ?? record.propertyTypeLabel}</span></p>
    <p class="note">${joined(record.address, record.city, record.county, record.state)}</p>
    ${record.meetingDate && html`<p class="note">Meeting of ${date(record.meetingDate)}</p>`}
    ${record.summary && html`<p>${record.summary}</p>`}
    ${record.statusSummary && html`<p class="note">${record.statusSummary}</p>`}
    ${facts.length > 0 && html`<${Part} title="Facts"><dl>${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${shown(value)}</dd></div>`)}</dl><//>`}
    ${record.parties?.length > 0 && html`<${Part} title="Parties"><dl>${record.parties.map((/** @type {any} */ { roleLabel, role, name }) => html`<div><dt>${roleLabel ?? role}</dt><dd>${name}</dd></div>`)}</dl><//>`}
    ${record.decisions?.length > 0 && html`<${Part} title="Decisions"><${Decisions} record=${record} /><//>`}
    ${said && html`<${Part} title="What the minutes say"><blockquote class="said">${said}</blockquote>${record.originalRawTextTruncated && html`<p class="note">Cut here; the minutes have all of it.</p>`}<//>`}
    ${documents.length > 0 && html`<${Part} title="Minutes"><ul class="documents">${documents.map((/** @type {any} */ document) => html`<${Minutes} key=${document.meetingDocumentId} document=${document} account=${account} />`)}</ul><//>`}
    ${!documents.length && record.meetingDocumentId && html`<${Part} title="Minutes"><ul class="documents"><${Minutes} document=${{ meetingDocumentId: record.meetingDocumentId }} account=${account} /></ul><//>`}
    <p class="note">Null where the minutes say nothing. Record ${record.id}, changed ${date(record.lastUpdated)}.</p>`;
}

/**
 * The panel. If records cost a credit, it shows the price and a button that spends, before the record.
 * @param {{id: number, account: any, onClose: () => void, onRead: (record: any) => void, onSpent: () => void}} given
 */
export function RecordPanel({ id, account, onClose, onRead, onSpent }) {
  const metered = account.creditRate > 0;
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [bought, setBought] = useState(/** @type {any} */ (null));
  const read = async (/** @type {AbortSignal | undefined} */ signal) => {
    const { data, meta } = await ask(`/projects/${id}?representation=full`, { signal, headers: { 'Idempotency-Key': onceKey() } });
    onRead(data);
    if (meta.creditsUsed) onSpent();
    return data;
  };
  const {
    answer,
    problem: refused,
    again,
  } = useAnswer(
    async (signal) => {
      setBought(null);
      const price = metered ? (await ask(`/projects/${id}/changes`, { signal })).data.nextRead : { credits: 0 };
      return price.credits > 0 ? { price } : { record: await read(signal) };
    },
    [id],
  );
  const record = bought ?? answer?.record;
  return html`<article class="panel" aria-labelledby="record-title">
    <header><h2 id="record-title" tabindex="-1">${record?.displayName ?? record?.projectName ?? `Project ${id}`}</h2>
      <button type="button" class="quiet" onClick=${onClose} aria-label="Close the record">✕</button></header>
    ${refused && html`<${Notice} problem=${refused} again=${again} />`}
    ${problem && html`<${Notice} problem=${problem} />`}
    ${!answer && !refused && html`<${Loading} what="Reading the record" />`}
    ${record && html`<${Read} record=${record} account=${account} />`}
    ${
      answer?.price &&
      !record &&
      html`<div class="price"><p>Your team does not hold this record as it is now. Reading it costs <strong>${counted(answer.price.credits, 'credit')}</strong>; reading it again is free until it changes.</p>
      <${Action} kind="primary" work=${async () => setBought(await read(undefined))} onProblem=${setProblem}>Read it for ${counted(answer.price.credits, 'credit')}<//></div>`
    }
  </article>`;
}
