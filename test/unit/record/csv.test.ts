/** Records as CSV: what a spreadsheet and a parser make of it, whatever the text. */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { escapeFormula } from '../../../src/core/domain/csvText.ts';
import { CSV_COLUMNS, csvCells, csvHeader, csvRows } from '../../../src/core/domain/record/csv.ts';
import { fieldOf } from '../../../src/core/domain/record/fields.ts';
import { STANDARD } from '../../support/fullRecord.ts';

const read = (text: string): string[][] => parse(Buffer.from(text), { record_delimiter: '\r\n' });

const COLUMNS: readonly string[] = CSV_COLUMNS;
const BLANK = Object.fromEntries(CSV_COLUMNS.map((name) => [name, null]));
const cellOf = (name: string, value: unknown) => csvCells({ ...BLANK, [name]: value })[COLUMNS.indexOf(name)];

/** Texts as attackers write to plant formulas, and any others. */
const STARTS = [
  ...['\t', '\r', '\n', ' ', '\u00a0', '\u200b', '\ufeff', '\u2003', '\u3000', '\u00ad', '\0'],
  ...'= + - @ | ＝ ＋ － ＠ ⁺ ₋ ⩵ ﬩'.split(' '),
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(
      fc.array(fc.constantFrom(...STARTS), { maxLength: 5 }),
      fc.constantFrom('1+1', 'cmd', 'HYPERLINK("x")', '"', ',', ';', "'", '', '\r\n'),
    )
    .map(([start, rest]) => start.join('') + rest),
);
const anyText = fc.oneof(hostile, fc.string());

/** Read by another rule than the guard's own: what is left once everything invisible is gone, made narrow by normalization. */
function runsInASpreadsheet(cell: string): boolean {
  const visible = cell.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]|\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  return /^[\t\r]/.test(cell) || /^[=+\-@|]/.test(visible);
}

describe('CSV of records', () => {
  it('has the 67 standard fields as its header row, in their order', () => {
    assert.equal(csvHeader(), `${STANDARD.join()}\r\n`);
    assert.equal(STANDARD.length, 67);
  });

  it('has a text for every field that is a list or an object', () => {
    const silent = CSV_COLUMNS.filter((name) => {
      const { served, csv } = fieldOf(name);
      const types = [(served as { type?: string | string[] }).type].flat();
      return types.some((type) => type === undefined || type === 'array' || type === 'object') && !csv;
    });
    assert.deepEqual(silent, []);
  });

  it('writes null as an empty cell, booleans as words, and numbers plainly', () => {
    assert.equal(csvRows([BLANK]), `${','.repeat(66)}\r\n`);
    assert.deepEqual(
      [cellOf('isRezone', true), cellOf('isRezone', false), cellOf('acreage', 0), cellOf('longitude', -105.27)],
      ['true', 'false', '0', '-105.27'],
    );
  });

  it('writes lists and objects as a person reads them', () => {
    const channels = {
      email: 'ann@fork.example',
      emailSource: 'directory',
      phone: '303-555-0100',
      phoneSource: null,
      linkedin: null,
      linkedinSource: null,
    };
    const locked = { email: null, emailSource: null, phone: null, phoneSource: null, linkedin: null, linkedinSource: null };
    const values: [string, unknown, string][] = [
      ['parcelNumbers', ['1463', '1464'], '1463; 1464'],
      ['mergedFrom', [78, 79], '78; 79'],
      [
        'parties',
        [
          { role: 'developer', roleLabel: 'Developer', name: 'Acme Homes LLC' },
          { role: 'owner', roleLabel: 'Owner', name: 'Ann Lee' },
        ],
        'developer: Acme Homes LLC; owner: Ann Lee',
      ],
      [
        'unitMix',
        [
          { unitType: '2 bedroom', count: 80 },
          { unitType: 'studio', count: 0 },
        ],
        '2 bedroom: 80; studio: 0',
      ],
      [
        'classifications',
        [
          { type: 'residential', typeLabel: 'Residential', role: 'primary' },
          { type: 'office', typeLabel: null, role: null },
        ],
        'primary: Residential; office',
      ],
      [
        'landUses',
        [
          {
            type: 'residential',
            typeLabel: 'Residential',
            subtype: 'single_family',
            subtypeLabel: 'Single Family',
            assetClass: null,
            assetClassLabel: null,
            matchedOn: ['type', 'subtype'],
          },
          {
            type: 'commercial',
            typeLabel: 'Commercial',
            subtype: null,
            subtypeLabel: null,
            assetClass: null,
            assetClassLabel: null,
            matchedOn: [],
          },
        ],
        'Residential > Single Family [matched: type, subtype]; Commercial',
      ],
      [
        'contacts',
        [
          { name: 'Ann Lee', role: 'applicant', company: 'Fork Homes LLC', title: 'VP', ...channels },
          { name: 'Bob Ray', role: null, company: null, title: null, ...locked },
        ],
        'applicant: Ann Lee, VP, Fork Homes LLC, ann@fork.example (directory), 303-555-0100; Bob Ray',
      ],
      [
        'companyEnrichment',
        [{ name: 'Fork Homes LLC', website: 'https://fork.example', linkedin: null, archetype: 'developer', mainPhone: null }],
        'Fork Homes LLC, developer, https://fork.example',
      ],
      [
        'contactSummary',
        { contactCount: 2, withEmail: 1, withPhone: 0, lowConfidenceWithheld: 0, unlocked: false },
        'contactCount: 2; withEmail: 1; withPhone: 0; lowConfidenceWithheld: 0; unlocked: false',
      ],
      [
        'delivery',
        { alreadyExported: true, updatedSinceExport: null, lastExportedAt: '2026-09-14T00:00:00.000Z', billed: false },
        'alreadyExported: true; lastExportedAt: 2026-09-14T00:00:00.000Z; billed: false',
      ],
      ['parties', [], ''],
    ];
    for (const [name, value, text] of values) assert.equal(cellOf(name, value), text, name);
  });

  it('refuses an object that the table has no text for', () => {
    assert.throws(() => cellOf('address', { street: 'x' }), /no text for address/);
  });

  it('is read back cell by cell, whatever the texts hold', () => {
    const record = fc.record(
      Object.fromEntries(
        CSV_COLUMNS.filter((name) => !fieldOf(name).csv).map((name) => [
          name,
          fc.oneof(anyText, fc.double(), fc.boolean(), fc.constant(null)),
        ]),
      ),
    );
    const parties = fc.array(fc.record({ role: fc.constant('owner'), roleLabel: fc.constant(null), name: hostile }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(record, parties), { minLength: 1, maxLength: 4 }), (drawn) => {
        const records = drawn.map(([fields, list]): Record<string, unknown> => ({ ...BLANK, ...fields, parties: list }));
        const [header, ...rows] = read(csvHeader() + csvRows(records));
        assert.deepEqual(header, STANDARD);
        assert.deepEqual(
          rows,
          records.map((one) => csvCells(one).map((cell) => cell.toWellFormed())),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('keeps its rows for readers that end one at a lone CR or LF, too', () => {
    const cell = fc.oneof(hostile, fc.constantFrom('\rCR first', 'CR\rwithin', 'LF\nwithin', 'at the end\r', '\n'));
    const record = fc.record({
      projectName: cell,
      address: cell,
      parties: fc.array(fc.record({ role: cell, name: cell }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (drawn) => {
        const records = drawn.map((one): Record<string, unknown> => ({ ...BLANK, ...one }));
        const rows: string[][] = parse(Buffer.from(csvRows(records)), { record_delimiter: ['\r\n', '\n', '\r'] });
        assert.deepEqual(
          rows,
          records.map((one) => csvCells(one).map((text) => text.toWellFormed())),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('has no part of a list cell that a spreadsheet would run once it splits at semicolons', () => {
    const isNumber = (part: string) => part.trim() !== '' && Number.isFinite(Number(part)) && /^[+\-.\d]/.test(part);
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (names) => {
        const parties = names.map((name) => ({ role: null, name }));
        for (const cell of [cellOf('parcelNumbers', names), cellOf('parties', parties)])
          for (const part of cell?.split(/; ?/) ?? []) assert(isNumber(part) || !runsInASpreadsheet(part), JSON.stringify([cell, part]));
      }),
      { numRuns: 5000 },
    );
    assert.deepEqual(
      [
        cellOf('parcelNumbers', ['1463', '=cmd', '-5', '-5-1', '\t@x', 'plain']),
        cellOf('parties', [
          { role: 'owner', name: 'Fork; =1+1 Homes;+cmd' },
          { role: null, name: '@SUM(A1)' },
        ]),
      ],
      ["1463; '=cmd; -5; '-5-1; '\t@x; plain", "owner: Fork; '=1+1 Homes;'+cmd; '@SUM(A1)"],
    );
  });

  it('has no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [[cell]] = read(csvRows([{ ...BLANK, id: text }])) as [[string]];
        const isNumber = cell !== '' && cell === text && Number.isFinite(Number(cell)) && /^[+\-.\d]/.test(cell);
        assert(isNumber || !runsInASpreadsheet(cell), JSON.stringify(cell));
        assert(cell === text.toWellFormed() || cell === `'${text.toWellFormed()}`, 'nothing but an apostrophe is added');
      }),
      { numRuns: 5000 },
    );
  });

  it('puts an apostrophe where a formula would start, and nowhere else', () => {
    const formulas = [
      ...'=1+1 +cmd -cmd @SUM(A1) |calc ＝1 -1-1 --1 - ='.split(' '),
      ...['\tx', '\rx', ' =1', '\u00a0=1', '\u2003+a', '\u200b@a', '\ufeff=1', '\n-x', '\0=1', ' -5', '+1 303 555 0100'],
    ];
    for (const text of formulas) assert.equal(escapeFormula(text), `'${text}`);
    const harmless = [...`a=1 1-2 '=1 -5 +5 -0.5 -.5 +1e-7 -1E+21 +13035550100 "=1" é= (=1)`.split(' '), ...['', '  a', '\u00a0', '\nA']];
    assert.deepEqual(harmless.map(escapeFormula), harmless);
  });

  it('spoils no number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [[cell]] = read(csvRows([{ ...BLANK, id: value }])) as [[string]];
        assert.equal(cell, String(value));
        assert.equal(Number(cell), value === 0 ? 0 : value);
        assert.equal(escapeFormula(`+${Math.abs(value)}`), `+${Math.abs(value)}`);
      }),
    );
  });
});
