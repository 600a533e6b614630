/**
 * A contact provider over HTTP; requests and answers are described in src/docs/enrichment.md. Each call has a time limit and is retried; a
 * provider that keeps failing is not called for a while. People other than those asked for are ignored.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { lazily } from '../../core/domain/lazily.ts';
import * as nested from '../../core/domain/record/nested.ts';
import { nullable, object, optional, text } from '../../core/domain/record/valueSchemas.ts';
import { normalizeWords } from '../../core/domain/words.ts';
import type { Candidate, FinderAnswer, LookUp } from '../../core/people/enrichment.ts';
import { type CallSettings, ProviderCalls } from '../../core/providers/providerCalls.ts';
import { type ContactFinder, FinderUnavailable, MalformedFinderAnswer } from './finder.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;
const PEOPLE_MAX = 200;

const PROVIDER_SETTINGS: CallSettings = {
  timeoutMs: 10_000,
  retries: 3,
  pauseMs: 500,
  patienceMs: 30_000,
  failures: 10,
  restMs: 30_000,
};

const words300 = optional(nullable(text(300)));
const confidence = optional(nullable(Type.Number({ minimum: 0, maximum: 1 })));
/** Other keys are ignored. */
const answerSchema = Type.Object({
  projectId: Type.Integer(),
  people: Type.Array(
    Type.Object({
      name: words300,
      role: words300,
      company: words300,
      title: words300,
      email: words300,
      emailConfidence: confidence,
      phone: optional(nullable(text(60))),
      phoneConfidence: confidence,
      linkedin: optional(nullable(text(500))),
      linkedinConfidence: confidence,
      isGovernmentStaff: optional(Type.Boolean()),
    }),
    { maxItems: PEOPLE_MAX },
  ),
  companies: optional(Type.Array(object(nested.company.stated.properties), { maxItems: PEOPLE_MAX })),
});

/** Made when the first one arrives: most processes never ask a provider. */
const answerCheck = lazily(() =>
  new Ajv2020().compile<{ projectId: number; people: Candidate[]; companies?: FinderAnswer['companies'] }>(answerSchema),
);

export class ContactProvider implements ContactFinder {
  readonly source = 'provider';
  readonly #url: string;
  readonly #key: string | null;
  readonly #timeoutMs: number;
  readonly #calls: ProviderCalls;

  constructor({ url, key, settings = PROVIDER_SETTINGS }: { url: string; key: string | null; settings?: CallSettings }) {
    this.#url = url;
    this.#key = key;
    this.#timeoutMs = settings.timeoutMs;
    this.#calls = new ProviderCalls({
      name: 'contact provider',
      url,
      bytesMax: ANSWER_BYTES_MAX,
      settings,
      Unavailable: FinderUnavailable,
      Unusable: MalformedFinderAnswer,
    });
  }

  /** @throws FinderUnavailable, and the signal's reason */
  find(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer> {
    return this.#calls.run(() => this.#ask(lookUp, signal), signal);
  }

  async #ask(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer> {
    const body = await this.#call(lookUp, signal);
    const isAnswer = answerCheck();
    if (!isAnswer(body)) throw new MalformedFinderAnswer('The answer of the contact provider is not as agreed');
    if (body.projectId !== lookUp.projectId) throw new MalformedFinderAnswer('The answer of the contact provider is about another project');
    const companies = body.companies ?? [];
    return {
      people: body.people.filter((one) => wasAskedFor(one, lookUp)),
      companies: companies.filter(({ name }) => isParty(name, lookUp)),
    };
  }

  async #call({ ids: _, ...asked }: LookUp, signal: AbortSignal): Promise<unknown> {
    try {
      const answer = await this.#calls.fetch(this.#url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(this.#key === null ? {} : { Authorization: `Bearer ${this.#key}` }),
        },
        body: JSON.stringify(asked),
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]),
      });
      if (answer.status === 200) return this.#calls.parse(await answer.text());
      await answer.body?.cancel();
      if (answer.status === 404) return { projectId: asked.projectId, people: [] };
      throw this.#calls.refusalFailure(answer.status, answer.headers);
    } catch (error) {
      if (error instanceof FinderUnavailable) throw error;
      signal.throwIfAborted();
      throw this.#calls.silenceFailure(error as Error);
    }
  }
}

/** Whether a person works for a company that the filing names, or is named by it without a company; anybody else was not asked for. */
const wasAskedFor = ({ name, company }: Candidate, lookUp: LookUp) =>
  company
    ? isParty(company, lookUp)
    : lookUp.contacts.some((contact) => contact.name && normalizeWords(contact.name) === normalizeWords(name ?? ''));

function isParty(company: string | null | undefined, { parties, contacts, companies }: LookUp): boolean {
  const known = [...parties.map(({ name }) => name), ...contacts.map((contact) => contact.company), ...companies];
  return Boolean(company) && known.some((name) => name && normalizeWords(name) === normalizeWords(company ?? ''));
}
