/**
 * A contact provider over HTTP. What it is asked and has to answer is in src/docs/enrichment.md. It may hang, fail, ask for patience or talk
 * nonsense: each call is bounded, tried again, and given up for a while where it keeps failing; an answer about others is no answer.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  type IPolicy,
  type IRetryBackoffContext,
  retry,
  wrap,
} from 'cockatiel';
import { Type } from 'typebox';
import { retryAfterMs } from '../../core/domain/durations.ts';
import * as nested from '../../core/domain/record/nested.ts';
import { nullable, object, optional, text } from '../../core/domain/record/values.ts';
import { words } from '../../core/domain/words.ts';
import type { Candidate, FinderAnswer, LookUp } from '../../core/people/enrichment.ts';
import { type ContactFinder, FinderNonsense, FinderUnavailable } from './finder.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;
const PEOPLE_MAX = 200;

export interface ProviderSettings {
  /** one call */
  timeoutMs: number;
  /** calls after the first */
  retries: number;
  /** pause before the first of them; it doubles */
  pauseMs: number;
  /** longest pause that a provider may ask for by Retry-After */
  patienceMs: number;
  /** calls that failed one after the other until none is made for a while */
  failures: number;
  restMs: number;
}

export const PROVIDER_SETTINGS: ProviderSettings = {
  ...{ timeoutMs: 10_000, retries: 3, pauseMs: 500, patienceMs: 30_000 },
  ...{ failures: 10, restMs: 30_000 },
};

const words300 = optional(nullable(text(300)));
const confidence = optional(nullable(Type.Number({ minimum: 0, maximum: 1 })));
/** Further keys are let by: only these are read. */
const answerSchema = Type.Object({
  projectId: Type.Integer(),
  people: Type.Array(
    Type.Object({
      ...{ name: words300, role: words300, company: words300, title: words300 },
      ...{ email: words300, emailConfidence: confidence, phone: optional(nullable(text(60))), phoneConfidence: confidence },
      ...{ linkedin: optional(nullable(text(500))), linkedinConfidence: confidence, isGovernmentStaff: optional(Type.Boolean()) },
    }),
    { maxItems: PEOPLE_MAX },
  ),
  companies: optional(Type.Array(object(nested.company.stated.properties), { maxItems: PEOPLE_MAX })),
});

const isAnswer = new Ajv2020().compile<{ projectId: number; people: Candidate[]; companies?: FinderAnswer['companies'] }>(answerSchema);

/** Worth another call: the server was silent, busy or broken. */
class TransientFailure extends FinderUnavailable {
  /** what the provider asked for */
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

export class ContactProvider implements ContactFinder {
  readonly source = 'provider';
  readonly #url: string;
  readonly #key: string | null;
  readonly #settings: ProviderSettings;
  readonly #policy: IPolicy;

  constructor({ url, key, settings = PROVIDER_SETTINGS }: { url: string; key: string | null; settings?: ProviderSettings }) {
    this.#url = url;
    this.#key = key;
    this.#settings = settings;
    const { failures, restMs, retries, pauseMs, patienceMs } = settings;
    const transient = handleType(TransientFailure);
    const breaker = circuitBreaker(transient, { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failures) });
    const backoff = new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt, result }) => {
      const asked = 'error' in result && result.error instanceof TransientFailure ? result.error.waitMs : 0;
      return Math.min(Math.max(asked, pauseMs * 2 ** (attempt - 1)), patienceMs);
    });
    this.#policy = wrap(retry(transient, { maxAttempts: retries, backoff }), breaker);
  }

  /** @throws FinderUnavailable; the reason of the signal where it aborts */
  async find(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer> {
    try {
      return await this.#policy.execute(() => this.#ask(lookUp, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BrokenCircuitError)
        throw new FinderUnavailable('The contact provider failed again and again; it is left alone for a while');
      throw error;
    }
  }

  async #ask(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer> {
    const body = await this.#call(lookUp, signal);
    if (!isAnswer(body)) throw new FinderNonsense('The answer of the contact provider is not as agreed');
    if (body.projectId !== lookUp.projectId) throw new FinderNonsense('The answer of the contact provider is about another project');
    const companies = body.companies ?? [];
    return {
      people: body.people.filter((one) => wasAskedFor(one, lookUp)),
      companies: companies.filter(({ name }) => isParty(name, lookUp)),
    };
  }

  async #call({ ids: _, ...asked }: LookUp, signal: AbortSignal): Promise<unknown> {
    const { timeoutMs } = this.#settings;
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(this.#key === null ? {} : { Authorization: `Bearer ${this.#key}` }),
        },
        body: JSON.stringify(asked),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const { status, headers } = answer;
      if (status === 429 || status >= 500) {
        await answer.body?.cancel();
        throw new TransientFailure(`The contact provider answered ${status}`, retryAfterMs(headers.get('retry-after')));
      }
      if (status !== 200) {
        await answer.body?.cancel();
        if (status === 404) return { projectId: asked.projectId, people: [] };
        throw new FinderUnavailable(`The contact provider answered ${status}`);
      }
      return await boundedJson(answer);
    } catch (error) {
      if (error instanceof FinderUnavailable) throw error;
      signal.throwIfAborted();
      const { name, cause } = error as Error;
      const why = cause instanceof Error && 'code' in cause ? String(cause.code) : name;
      throw new TransientFailure(`The contact provider did not answer (${why})`);
    }
  }
}

async function boundedJson(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new FinderNonsense('The answer of the contact provider is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new FinderNonsense('The answer of the contact provider is not JSON');
  }
}

/** Of a company that the filing names, or somebody whom it names without one: anybody else is another person. */
const wasAskedFor = ({ name, company }: Candidate, lookUp: LookUp) =>
  company ? isParty(company, lookUp) : lookUp.contacts.some((contact) => contact.name && words(contact.name) === words(name ?? ''));

function isParty(company: string | null | undefined, { parties, contacts, companies }: LookUp): boolean {
  const known = [...parties.map(({ name }) => name), ...contacts.map((contact) => contact.company), ...companies];
  return Boolean(company) && known.some((name) => name && words(name) === words(company ?? ''));
}
