/** Lists as people have them: bytes of a file become lines whose cells are what the file has. */
import assert from 'node:assert/strict';
import vm from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { readListFile, UnreadableList } from '../../src/clients/client/listFile.ts';
import { findListColumns, matchList } from '../../src/clients/client/matchList.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** One byte a character: ISO 8859-1, and what Windows-1252 has besides. */
const bytes = (text: string) => Uint8Array.from([...text].map((one) => ({ '’': 0x92, '–': 0x96, '€': 0x80 })[one] ?? one.charCodeAt(0)));
const utf16 = (text: string, isBig = false, mark = true) => {
  const codes = [...(mark ? [0xfeff] : []), ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))];
  return Uint8Array.from(codes.flatMap((code) => (isBig ? [code >> 8, code & 255] : [code & 255, code >> 8])));
};
const cellsOf = (file: Uint8Array) => {
  const { headers, lines } = readListFile(file);
  return [headers, ...lines.map(({ cells }) => cells)];
};
const TABLE = [
  ['address', 'note'],
  ['12 Elm St', 'Doña’s – café'],
];

import { readTyped } from '../../src/web/app/match/matchedLines.ts';
import { pluck } from '../support/lists.ts';

describe('files of lists', () => {
  it('are read in every usual encoding, which is said where it is not UTF-8', () => {
    const text = 'address,note\r\n12 Elm St,Doña’s – café\r\n';
    const files: [string, Uint8Array, RegExp | undefined][] = [
      ['UTF-8', utf8(text), undefined],
      ['UTF-8 with its mark', utf8(`\ufeff${text}`), undefined],
      ['UTF-16 LE', utf16(text), /UTF-16/],
      ['UTF-16 BE', utf16(text, true), /UTF-16/],
      ['UTF-16 LE without a mark', utf16(text, false, false), /UTF-16/],
      ['UTF-16 BE without a mark', utf16(text, true, false), /UTF-16/],
      ['Windows-1252', bytes(text), /^One line is not UTF-8 and was read as Windows-1252/],
    ];
    for (const [name, file, notice] of files) {
      assert.deepEqual(cellsOf(file), TABLE, name);
      const { notices } = readListFile(file);
      assert(notice ? notices.length === 1 && notice.test(notices[0] ?? '') : !notices.length, `${name}: ${notices}`);
    }
    const mixed = Uint8Array.from([...utf8('address,note\n12 Elm St,Doña’s – café\n'), ...bytes('12 Elm St,Doña’s – café\n')]);
    assert.deepEqual(cellsOf(mixed), [...TABLE, TABLE[1]], 'a file that was put together of two');
  });

  it('have commas, semicolons, tabs or bars, a line that says so, and any ends of lines', () => {
    for (const delimiter of [',', ';', '\t', '|'])
      for (const end of ['\n', '\r\n', '\r']) {
        const text = [
          `a${delimiter}b`,
          `"1${delimiter}""2"""${delimiter}3, 4; 5`.replaceAll(/[,;](?= )/g, delimiter === ',' ? ';' : ','),
          '',
        ].join(end);
        const [headers, line] = cellsOf(utf8(text));
        assert.deepEqual([headers, line?.[0]], [['a', 'b'], `1${delimiter}"2"`], JSON.stringify(text));
        assert.deepEqual(cellsOf(utf8(`sep=${delimiter}${end}${text}`)), [headers, line], JSON.stringify(text));
      }
    assert.deepEqual(cellsOf(utf8('a,b\n1,2\r\n3,4\r5,6\n\n\r\n"7\n8",9')).length, 5);
    assert.deepEqual(cellsOf(utf8('address\n12 Elm St, Boulder, CO\n')), [['address'], ['12 Elm St, Boulder, CO']]);
    assert.deepEqual(cellsOf(utf8('"a, b";c\n1;2\n')), [
      ['a, b', 'c'],
      ['1', '2'],
    ]);
  });

  it('keep blanks, stray quotes, control characters and doubled headers as they are, and every cell beyond the headers', () => {
    const text = 'a,a,\n  x , 6" pipe,"Bob\'s" 12\n🏗,عربي,\0\n1,2,3,4,,\n5\n';
    const { headers, lines } = readListFile(utf8(text));
    assert.deepEqual(headers, ['a', 'a', '', '']);
    assert.deepEqual(pluck(lines, 'cells'), [
      ['  x ', ' 6" pipe', '"Bob\'s" 12', ''],
      ['🏗', 'عربي', '\0', ''],
      ['1', '2', '3', '4'],
      ['5', '', '', ''],
    ]);
    assert.match(lines[2]?.problem ?? '', /more cells than the header line has names \(3\), the last of them '4'/);
  });

  it('have a problem in the line whose quote is not closed, and in no other', () => {
    const { lines } = readListFile(utf8('a,b\n1,2\n"3,4\n5,"6"\n'));
    assert.deepEqual(
      lines.map(({ cells, problem }) => [cells, problem !== undefined]),
      [
        [['1', '2'], false],
        [['"3', '4'], true],
        [['5', '6'], false],
      ],
    );
  });

  it('that are none are refused with what to send', () => {
    const files: [Uint8Array, RegExp][] = [
      [new Uint8Array(), /it is empty/],
      [utf8('\n\r\n'), /it is empty/],
      [bytes('PK\x03\x04rest'), /workbook.*save the sheet as CSV/],
      [Uint8Array.from({ length: 900 }, (_, i) => (i * 7) % 32), /no text|UTF-16/],
      [bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0'), /no text/],
    ];
    for (const [file, message] of files)
      assert.throws(
        () => readListFile(file),
        (error) => error instanceof UnreadableList && message.test(error.message),
      );
    assert.deepEqual(readListFile(utf8('address')).lines, []);
  });

  it('come back cell by cell from any table that a spreadsheet writes', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\r', 'é', '🏗'), maxLength: 8 });
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const header = (rows[0] ?? ['', '']).map((_, i) => `h${i}`);
        const quoted = [header, ...rows].map((line) => line.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
        assert.deepEqual(cellsOf(utf8(quoted.join(end))), [header, ...rows]);
      }),
    );
  });

  it('are read in seconds whatever their lines are', () => {
    const files = [
      `address,note\n12 Elm St,${'x'.repeat(50_000_000)}\n`,
      `a,b\n${'"""\n'.repeat(50_000)}`,
      `a,b\n${'"x,y\n'.repeat(100_000)}`,
    ];
    for (const text of files) {
      const before = process.threadCpuUsage();
      readListFile(utf8(text));
      const spent = process.threadCpuUsage(before).user / 1_000;
      assert(spent < 5_000, `${text.slice(0, 20)}: ${spent} ms`);
    }
  });
});

describe('columns of lists', () => {
  it('of one meaning count where they are filled, decimal commas are read, and a line that names nothing is not sent', async () => {
    const list = readListFile(
      utf8(
        'parcel;APN;address;address;lat;lng\n;0123;;;;\n9;8;;;;\n;;;12 Elm St;;\n;;;;35,08;-106,65\n;;;;35°;0\n;;;;;\nparcel;APN;address;address;lat;lng\n',
      ),
    );
    const columns = findListColumns(list.headers);
    assert(columns);
    const sent: object[] = [];
    const matched = await matchList(list, columns, async ({ rows }) => {
      sent.push(...rows);
      return { data: [] };
    });
    assert.deepEqual(sent, [
      { parcelNumber: '0123' },
      { parcelNumber: '9' },
      { address: '12 Elm St' },
      { latitude: 35.08, longitude: -106.65 },
      { latitude: '35°', longitude: 0 },
    ]);
    assert.deepEqual([matched.length, matched.filter(({ matchProblem }) => matchProblem).length], [7, 0]);
    const nameless = readListFile(utf8('address,owner\n,Ann\n'));
    const [none] = await matchList(nameless, findListColumns(nameless.headers) ?? columns, async () => assert.fail('nothing to ask'));
    assert.match(none?.matchProblem ?? '', /names nothing/);
    assert.equal(findListColumns(['owner', 'city']), undefined);
  });

  it('are known by the headers of assessors and of spreadsheets, and an address in several columns is one', async () => {
    const tables: [string, object][] = [
      [
        'Property Address,Property City,Property State,Property Zip\n12 Elm St,Boston,MA,2108',
        { address: '12 Elm St, 02108', city: 'Boston', state: 'MA' },
      ],
      ['SITUS_NUM,SITUS_STREET,SITUS_CITY,ZIP\n12,Elm St,Boulder,80302-1234', { address: '12 Elm St, 80302-1234', city: 'Boulder' }],
      ['Street Number,Street Direction,Street Name,Suffix\n12,N,Elm,St\n', { address: '12 N Elm St' }],
      ['Street No.,Address,Zip\n12,"12 Elm St, Boulder, CO 80302",80302', { address: '12 Elm St, Boulder, CO 80302' }],
      ['Tax Parcel #,City/Town\n1-2,Boulder', { parcelNumber: '1-2', city: 'Boulder' }],
      ['Parcel Number (APN),Owner,Mailing Address\n1-2,Ann,9 Oak', { parcelNumber: '1-2' }],
      ['Application No.,lat_dd,Longitude (deg)\nA-1,40.1,-105', { caseNumber: 'A-1', latitude: 40.1, longitude: -105 }],
    ];
    for (const [text, row] of tables) {
      const list = readListFile(utf8(text));
      const columns = findListColumns(list.headers);
      assert(columns, text);
      await matchList(list, columns, async ({ rows }) => {
        assert.deepEqual(rows, [row], text);
        return { data: [] };
      });
    }
  });

  it('are asked for in batches of 1,000 rows, with progress to the last line', async () => {
    const list = readListFile(utf8(`address\n${'12 Elm St\n'.repeat(10_000)}${'x'.repeat(50_000_000)}\n`));
    const batches: number[] = [];
    const progress: number[] = [];
    const answer = async ({ rows }: { rows: readonly object[] }) => {
      batches.push(rows.length);
      assert(JSON.stringify(rows).length < 400_000);
      return { data: rows.map((_, index) => ({ index, ref: null, candidates: [], candidateCount: index % 2 })) };
    };
    const matched = await matchList(list, new Map([['address', [0]]]), answer, (done) => progress.push(done));
    assert.deepEqual([batches, progress.at(-1), progress.length], [[...Array(10).fill(1_000), 1], 10_001, 12]);
    assert.equal(matched.filter(({ matchCount }) => matchCount === 1).length, 5_000);
  });

  it('are read and matched in a browser, by the same code', async () => {
    const entry = "export * from './src/clients/client/listFile.ts'; export * from './src/clients/client/matchList.ts';";
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: process.cwd(), loader: 'ts' },
      ...{ bundle: true, write: false, platform: 'browser', format: 'iife', globalName: 'lists', tsconfigRaw: {} },
    });
    const code = `${outputFiles[0]?.text}; JSON.stringify(lists.readListFile(file).lines)`;
    const lines = vm.runInNewContext(code, { TextDecoder, file: bytes('address,note\r\n12 Elm St,Doña’s – café\r\n') });
    assert.deepEqual(JSON.parse(lines), [{ cells: TABLE[1] }]);
  });
});

describe('typed lines', () => {
  it('are addresses, parcels or cases by their looks, at the place that they name or else at the usual one', () => {
    const read = (text: string) => {
      const list = readTyped(text, { city: 'Boulder', state: 'CO' });
      return typeof list === 'string' ? list : list.lines.map(({ cells }) => cells.slice(1).join('|'));
    };
    const lines = {
      '1801 Pearl St, Austin, TX 78701': '1801 Pearl St|Austin|TX|78701||',
      '4001 E 5th Ave, Denver, Colorado 80206': '4001 E 5th Ave|Denver|Colorado|80206||',
      '100 Main St\tDallas\tTX': '100 Main St|Dallas|TX|||',
      '920 N Broadway': '920 N Broadway|Boulder|CO|||',
      'LUR2026-00045': '|Boulder|CO|||LUR2026-00045',
      '14-0-2-300': '|Boulder|CO||14-0-2-300|',
    };
    assert.deepEqual(read(Object.keys(lines).join('\n')), Object.values(lines));
    assert.deepEqual(read('Address,City\n1 A St,Lyons'), ['Lyons']);
    assert.equal(read(' \n'), 'there is no line in it');
  });
});
