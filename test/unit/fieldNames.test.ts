import assert from 'node:assert/strict';
import type { FieldName } from '../../src/core/domain/record/fields.ts';
import { makeFilterCatalogue } from '../../src/features/map/filterAsset.ts';
import { MEASURES } from '../../src/web/app/shared/facets.ts';
import { factsOf, nameOfField, type ReadRecord } from '../../src/web/app/shared/facts.ts';
import { COLUMN_FIELDS } from '../../src/web/recordFields.ts';

const { rows } = makeFilterCatalogue();

/** The field that each filter chooses by, where both are the same thing. */
const FIELD_OF_FILTER: Readonly<Record<string, FieldName>> = {
  states: 'state',
  counties: 'county',
  cities: 'city',
  propertyTypes: 'propertyType',
  propertySubtypes: 'propertySubtype',
  assetClasses: 'assetClass',
  status: 'status',
  decisionBodies: 'decisionBody',
  requestTypes: 'requestType',
  decisionTypes: 'decisionType',
  constructionTypes: 'constructionType',
  projectSizes: 'projectSize',
  constructionLeadsOnly: 'isConstructionLead',
  hasConstructionDetails: 'hasConstructionDetails',
  requiresZoningChange: 'isRezone',
  inOpportunityZone: 'inOpportunityZone',
  inFemaFloodZone: 'inFemaFloodZone',
  caseNumbers: 'caseNumbers',
  parcelNumbers: 'parcelNumbers',
  existingZonings: 'existingZoning',
  proposedZonings: 'proposedZoning',
  staffRecommendations: 'staffRecommendation',
  hearingCountMin: 'appearanceCount',
  firstMeetingDateFrom: 'firstMeetingDate',
  nextMeetingDateFrom: 'nextMeetingDate',
  meetingDateFrom: 'meetingDate',
  lastUpdatedFrom: 'lastUpdated',
  ...Object.fromEntries(COLUMN_FIELDS.flatMap(({ name, kind }) => (kind === 'measure' ? [[`${name}Min`, name]] : []))),
};

describe('the names of fields', () => {
  it('are the same in columns, files, chips, charts and the record', () => {
    for (const [filter, field] of Object.entries(FIELD_OF_FILTER)) {
      const row = rows.find(({ name }) => name === filter) ?? assert.fail(filter);
      // A chip has the unit behind the number, a column in its heading.
      assert.equal(row.label, nameOfField(field).split(', ')[0], `the chip of ${filter}`);
    }
    for (const { name, heading, labels, of } of COLUMN_FIELDS)
      assert.equal(heading.replace(/, code$/, ''), nameOfField(of ? name.slice(of.length + 1) : (labels ?? name)), `the column ${name}`);
    for (const { name, label } of MEASURES) {
      const field = name.replace(/^(sum|median)_/, '');
      if (field !== name) assert.equal(label.replace(/( in total|, median project)$/, ''), nameOfField(field), `the chart of ${name}`);
    }
    const record = Object.fromEntries(COLUMN_FIELDS.map(({ name }) => [name, 'stated'])) as unknown as ReadRecord;
    // The record says whether the body has decided.
    for (const { field, name } of factsOf(record).flatMap(({ facts }) => facts))
      if (field !== 'decisionBody') assert.equal(name, nameOfField(field), field);
  });

  it('tell the columns apart, and none is only a code in its words', () => {
    const headings = COLUMN_FIELDS.map(({ heading }) => heading);
    assert.deepEqual(
      headings.filter((heading, i) => headings.indexOf(heading) !== i),
      [],
    );
    const unwritten = headings.filter((heading) => /\b(id|url|label|sqft|raw|token)\b|^(is|has) /i.test(heading));
    assert.deepEqual(unwritten, []);
  });
});
