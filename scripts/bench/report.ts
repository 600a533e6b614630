/** A suite's results as a Markdown page, which is also what is printed. Pure. */
import { markdownTable } from '../../src/terminal/table.ts';
import { type Machine, machineText } from '../lib/machine.ts';
import type { Report, Section } from './suite.ts';

const sectionText = ({ title, text, head, rows }: Section) =>
  [`## ${title}`, ...(text ? [text] : []), markdownTable(head, rows)].join('\n\n');

export function markdown(suite: string, machine: Machine, { title, about, sections }: Report): string {
  const measured = `\`npm run bench -- ${suite}\` on ${machine.date}, commit ${machine.commit}. ${machineText(machine)}`;
  return `${[`# ${title}`, measured, about, ...sections.map(sectionText)].join('\n\n')}\n`;
}
