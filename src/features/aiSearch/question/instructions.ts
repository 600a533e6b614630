/**
 * Sentences of a text that address a machine which reads it. They say nothing about the project. A sentence of minutes may speak of rules, systems
 * and confirmations; one that addresses a reader names the reader, its orders or its answer. Patterns in `src/catalogue/questionInstructions.json`.
 */
import data from '../../../catalogue/questionInstructions.json' with { type: 'json' };

const fillNames = (pattern: string): string =>
  Object.entries(data.names).reduce((filled, [name, alternatives]) => filled.replaceAll(`{${name}}`, alternatives), pattern);
const INSTRUCTIONS = data.patterns.map((pattern) => new RegExp(fillNames(pattern), 'im'));

/** @param sentence of a record */
export const isInstruction = (sentence: string): boolean => INSTRUCTIONS.some((pattern) => pattern.test(sentence));
