/** contacts: email and phone of the people behind projects, looked up. */
import type { Command } from 'commander';
import type { Contact, FullProject } from '../client/index.ts';
import { act, type Cli, showWarnings, waitForJob } from './context.ts';
import type { Row } from './output.ts';
import { projectId } from './projects.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

const contactRow = (project: number, { name, role, email, phone }: Contact): Row => ({
  project,
  name,
  role,
  email: email ?? null,
  phone: phone ?? null,
});

async function waitForLookUp(cli: Cli, projectIds: readonly number[], spending: Spending): Promise<void> {
  const { data: job } = await spending.ask('createEnrichment', { body: { projectIds: [...projectIds] } });
  const settled = await waitForJob(cli, 'look up', job, ({ processed }) => [processed, job.accepted.length]);
  spending.recordCharge(settled.creditsCharged);
  if (settled.note) cli.note(`Note: ${settled.note}`);
  const { notPurchased, notFound } = settled.skipped;
  if (notPurchased.length) cli.note(`Not looked up, since your team does not have these records yet: ${notPurchased.join(', ')}.`);
  if (notFound.length) cli.note(`There are no projects ${notFound.join(', ')}.`);
}

async function lookUpContacts(cli: Cli, projectIds: readonly number[], options: SpendingOptions): Promise<void> {
  const spending = new Spending(cli, options);
  await spending.confirmLookUps(projectIds.length);
  await waitForLookUp(cli, projectIds, spending);
  const found: { projectId: number; contacts: Contact[] }[] = [];
  for (const id of projectIds) {
    const { data, meta } = await spending.ask('getProject', { id, representation: 'full', include: 'contacts' });
    showWarnings(cli, meta);
    found.push({ projectId: id, contacts: (data as FullProject).contacts ?? [] });
  }
  const rows = found.flatMap(({ projectId: id, contacts }) => contacts.map((contact) => contactRow(id, contact)));
  cli.print(found, rows, 'No contacts were found.');
  await spending.report();
}

export function addContactsCommand(program: Command): void {
  const contacts = program
    .command('contacts')
    .description('email and phone of the people behind projects: looked up, for a credit or one of the allowance each')
    .argument('<projects...>', 'ids of projects', (text: string, before: number[] = []) => [...before, projectId(text)]);
  addSpendingOptions(contacts).action(act(lookUpContacts));
}
