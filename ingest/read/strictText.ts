/** Finds text that JSON.parse accepts, but strict JSON parsers, databases and UTF-8 do not: lone surrogates and U+0000. */
import type { FieldProblem } from './lineProblems.ts';

/** Decoded text can contain either only as an escape, so that few lines have to be searched value by value. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;

/** A problem for every string and key of a line that cannot be passed on. @param text of the line, decoded from UTF-8 */
export function findTextProblems(text: string, value: object): FieldProblem[] {
  return (text.includes('\\') && SUSPECT.test(text)) || !text.isWellFormed() ? findTextProblemsIn(value, [], undefined) : [];
}

function findTextProblemsIn(value: unknown, path: readonly string[], field: string | undefined): FieldProblem[] {
  if (typeof value === 'string') return makeTextProblem(value, path, field, '');
  if (value === null || typeof value !== 'object') return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, entry]) => [
    ...(isList ? [] : makeTextProblem(key, path, field ?? key, 'a key of ')),
    ...findTextProblemsIn(entry, [...path, makeTextProblem(key, path, field, '').length ? '…' : key], field ?? key),
  ]);
}

function makeTextProblem(text: string, path: readonly string[], field: string | undefined, what: string): FieldProblem[] {
  const wrong = text.includes('\0') ? 'U+0000' : text.isWellFormed() ? undefined : 'a lone surrogate';
  if (!wrong) return [];
  const said = (steps: readonly string[]) => `${what}${steps.join('.') || 'the line'} holds ${wrong}, which is no text`;
  return [{ fault: said(path.filter((step) => !/^\d+$/.test(step))), reason: said(path), field, code: 'text_damaged' }];
}
