/**
 * The words of the tree: one exported type a name, functions named by a verb and a noun, no object written only to be spread, types alone in
 * `types.ts`, one row a word in the glossary.
 */

import assert from 'node:assert/strict';
import type { Identifier, Node } from '@babel/types';
import { traverseFast } from '@babel/types';
import { assertNone } from '../support/lists.ts';
import { filesBelow, parseSource, readSource, SOURCE_FOLDERS } from '../support/sources.ts';

/**
 * Words that a function's name does not begin with: prepositions, question words, conjunctions. Allowed are the usual forms `toRow` and `fromRow`
 * (conversions), `asError` (the same thing as another type), `onClose` (a callback), `withLock` and `withoutNulls` (around a call; a copy with or
 * without something), `perMinute` (a rate) and `untilReady` (a wait); and `isOpen`, `hasRoom`, `noStore`, `anyOf`, `tooMany`, which are none of these words.
 */
const WRONG_BEGINNINGS = new Set(
  (
    'about across after against ahead among around at because before behind below beneath beside besides between beyond but by during for how if in ' +
    'inside into near of off or out outside over since so that through till toward under unless upon via what when where whereas whether which while ' +
    'who whom whose why within'
  ).split(' '),
);

/** Types made from the document for clients, whose names are those of the document's parts. */
const GENERATED = 'src/clients/client/generated.ts';

const isFunction = (node: Node | null | undefined) =>
  node != null && ['FunctionExpression', 'ArrowFunctionExpression', 'TSFunctionType'].includes(node.type);

/** The name that a node gives to a function: by declaration, variable, method, property or in an interface. */
function functionName(node: Node): Identifier | undefined {
  const named = (name: Node | null | undefined) => (name?.type === 'Identifier' ? name : undefined);
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
      return named(node.id);
    case 'VariableDeclarator':
      return isFunction(node.init) ? named(node.id) : undefined;
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'TSDeclareMethod':
    case 'TSMethodSignature':
      return named(node.key);
    case 'ObjectProperty':
    case 'ClassProperty':
      return isFunction(node.value) ? named(node.key) : undefined;
    case 'TSPropertySignature':
      return isFunction(node.typeAnnotation?.type === 'TSTypeAnnotation' ? node.typeAnnotation.typeAnnotation : undefined)
        ? named(node.key)
        : undefined;
    default:
      return undefined;
  }
}

const firstWord = (name: string) => /^[a-z]+/.exec(name)?.[0] ?? '';

function namesAndSpreads(file: string, text: string) {
  const types: string[] = [];
  const functions: string[] = [];
  const spreads: string[] = [];
  traverseFast(parseSource(file, text), (node) => {
    const line = `${file}:${node.loc?.start.line}`;
    const name = functionName(node)?.name;
    if (name && WRONG_BEGINNINGS.has(firstWord(name))) functions.push(`${line} ${name}`);
    if (node.type === 'SpreadElement' && node.argument.type === 'ObjectExpression') spreads.push(line);
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return;
    const { declaration } = node;
    if (['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration', 'TSEnumDeclaration'].includes(declaration.type))
      types.push(((declaration as { id?: Identifier }).id as Identifier).name);
  });
  return { types, functions, spreads };
}

/** The lines of a file at which something else stands than a type or the import of one. */
const linesOfValues = (file: string, text: string) =>
  parseSource(file, text).program.body.flatMap((statement) => {
    const declared = (statement.type === 'ExportNamedDeclaration' && statement.declaration) || statement;
    const isType =
      ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration'].includes(declared.type) ||
      (declared.type === 'ImportDeclaration' && declared.importKind === 'type');
    return isType ? [] : [`${file}:${statement.loc?.start.line}`];
  });

const files = SOURCE_FOLDERS.flatMap((folder) => filesBelow(folder, /\.(m?ts|tsx|m?js)$/));
const read = files.map((file) => ({ file, ...namesAndSpreads(file, readSource(file)) }));

function repeatedTypes(): string[] {
  const places = new Map<string, string[]>();
  for (const { file, types } of read)
    if (file !== GENERATED) for (const name of types) places.set(name, [...(places.get(name) ?? []), file]);
  return [...places].flatMap(([name, where]) => (where.length > 1 ? [`${name}: ${where.join(', ')}`] : []));
}

describe('names', () => {
  const rules: { title: string; defects: string[] }[] = [
    { title: 'of exported types, interfaces and classes are unique in the tree', defects: repeatedTypes() },
    {
      title: 'of functions begin with no preposition, question word or conjunction',
      defects: read.flatMap(({ functions }) => functions),
    },
    { title: 'stand in no object that is written only to be spread', defects: read.flatMap(({ spreads }) => spreads) },
  ];
  for (const { title, defects } of rules)
    it(title, () => {
      assert.deepEqual(defects, []);
    });

  it('are found wherever a function can have one', () => {
    const text = `export type A = 1; export interface B { ofX(): void; byY: () => void; at: string }
      export class C { whatIs() {} static inZ = () => 1; #of() {} }
      const whichOne = () => ({ forAll: () => 1, throughIt() {}, of: 1 }), offer = () => ({ ...{ a: 1 }, ...b, ...(c ? { d } : {}) });
      export default function howMany() {} function withLock() {} function inner() {} const toRow = function whyNot() {};`;
    const { types, functions, spreads } = namesAndSpreads('src/core/x/y.ts', text);
    assert.deepEqual(types, ['A', 'B', 'C']);
    assert.deepEqual(functions.map((where) => where.split(' ')[1]).sort(), [
      'byY',
      'forAll',
      'howMany',
      'inZ',
      'ofX',
      'throughIt',
      'whatIs',
      'whichOne',
      'whyNot',
    ]);
    assert.deepEqual(spreads, ['src/core/x/y.ts:3']);
    assert(files.length > 400);
  });
});

describe('a file named types.ts', () => {
  it('holds types alone, and imports only those', () => {
    const named = files.filter((file) => file.endsWith('/types.ts'));
    assert.deepEqual(
      named.flatMap((file) => linesOfValues(file, readSource(file))),
      [],
    );
    const text = `import type { A } from './a.ts';\nexport type B = A;\ninterface C { b: B }\nexport interface D extends C {}
      import { e } from './e.ts';\nexport const F = 1;\nfunction g() {}\nexport class H {}\nexport * from './i.ts';`;
    assert.deepEqual(linesOfValues('x.ts', text), ['x.ts:5', 'x.ts:6', 'x.ts:7', 'x.ts:8', 'x.ts:9']);
  });
});

describe('the glossary', () => {
  it('has one row a word', () => {
    const rows = [...readSource('src/docs/glossary.md').matchAll(/^\| (?!word \|)([^|]+) \|/gm)].map((match) => match[1] as string);
    const words = rows.flatMap((row) => row.split(', '));
    assert(words.length > 40, `${words.length} words`);
    assertNone(words, (word, i) => words.indexOf(word) !== i);
  });
});
