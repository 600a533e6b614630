/** The regular expressions of the program: as literals, as patterns of schemas, and as modules build them. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Node, traverseFast } from '@babel/types';
import { filesBelow, parseSource, readSource, root } from './sources.ts';

export interface Expression {
  source: string;
  flags: string;
  /** `src/config.ts:62` */
  at: string;
}

const PROGRAM = ['src', 'ingest'];
const BYTES_MAX = 64 << 20;

const isBuilder = (node: Node) =>
  (node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee.type === 'Identifier' && node.callee.name === 'RegExp';

function stated(node: Node): Omit<Expression, 'at'> | undefined {
  if (node.type === 'RegExpLiteral') return { source: node.pattern, flags: node.flags };
  const isPattern = node.type === 'ObjectProperty' && node.key.type === 'Identifier' && node.key.name === 'pattern';
  // AJV reads patterns of schemas as Unicode.
  return isPattern && node.value.type === 'StringLiteral' ? { source: node.value.value, flags: 'u' } : undefined;
}

/** @returns the literals, and where expressions are built */
export function readExpressions(texts: Iterable<readonly [file: string, text: string]>): { literals: Expression[]; builders: string[] } {
  const literals: Expression[] = [];
  const builders: string[] = [];
  for (const [file, text] of texts)
    traverseFast(parseSource(file, text), (node) => {
      const at = `${file}:${node.loc?.start.line}`;
      const literal = stated(node);
      if (literal) literals.push({ ...literal, at });
      if (isBuilder(node)) builders.push(at);
    });
  return { literals, builders };
}

export const programTexts = () =>
  PROGRAM.flatMap((folder) => filesBelow(folder, /\.(?:tsx?|m?js)$/)).map((file) => [file, readSource(file)] as const);

/** What these modules build when they are loaded, and their functions for typical arguments. */
export function buildExpressions(files: readonly string[]): Expression[] {
  const child = path.join(import.meta.dirname, 'builtExpressions.ts');
  return JSON.parse(execFileSync(process.execPath, [child, ...files], { cwd: root, encoding: 'utf8', maxBuffer: BYTES_MAX }));
}
