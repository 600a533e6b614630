/** The built-in finder: the contact directory of the served generation. */
import type { Client } from '@elastic/elasticsearch';
import type { CompanyEnrichment } from '../../core/domain/record/statement.ts';
import { normalizeWords } from '../../core/domain/words.ts';
import type { Candidate, FinderAnswer, LookUp } from '../../core/people/enrichment.ts';
import { terms } from '../../core/query/clauses.ts';
import { searchElastic } from '../../core/store/elastic/client.ts';
import type { IndexNames } from '../../core/store/elastic/indices.ts';
import type { ContactFinder } from './finder.ts';

/** Most lines of one project that are read. */
const LINES_MAX = 200;

interface DirectoryLine extends Candidate {
  companyName?: string | null;
  companyWebsite?: string | null;
  companyLinkedin?: string | null;
  companyArchetype?: string | null;
  companyPhone?: string | null;
}

/** The distinct companies of the lines, without those of the government, which are no business contacts. */
function companiesOf(lines: readonly DirectoryLine[]): CompanyEnrichment[] {
  const found = new Map<string, CompanyEnrichment>();
  for (const line of lines) {
    const name = line.companyName ?? line.company;
    if (!name || line.isGovernmentStaff || found.has(normalizeWords(name))) continue;
    const { companyWebsite: website = null, companyLinkedin: linkedin = null } = line;
    const { companyArchetype: archetype = null, companyPhone: mainPhone = null } = line;
    if (website || linkedin || archetype || mainPhone) found.set(normalizeWords(name), { name, website, linkedin, archetype, mainPhone });
  }
  return [...found.values()];
}

export class ContactDirectory implements ContactFinder {
  readonly source = 'directory';
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('contacts');
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ApiError `search_unavailable` */
  async find({ ids }: LookUp, signal: AbortSignal): Promise<FinderAnswer> {
    const { hits } = await searchElastic<{ content: DirectoryLine }>(
      { client: this.#client, timeoutMs: this.#timeoutMs, signal },
      {
        index: this.#alias,
        query: { bool: { filter: [terms('projectId', ids)] } },
        sort: [{ key: 'asc' }],
        size: LINES_MAX,
        track_total_hits: false,
        _source: ['content'],
      },
    );
    const lines = hits.hits.flatMap((hit) => hit._source?.content ?? []);
    return { people: lines, companies: companiesOf(lines) };
  }
}
