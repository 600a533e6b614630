/**
 * Quotes: the price of a call, with an id that allows exactly this call. The id contains a signature over tool, arguments and account, and is the
 * Idempotency-Key of the call, so that using it twice charges once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/domain/canonicalJson.ts';

interface ToolQuote {
  quoteId: string;
  /** highest price */
  credits: number;
  expiresAt: string;
}

export interface Quoted {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

const LIFETIME_MS = 10 * 60_000;
const FORM = /^quote_([0-9a-z]+)_(\d+)_([0-9a-f]{16})_([0-9a-f]{40})$/;

export class Quotes {
  readonly #secret: string;
  readonly #account: string;
  readonly #now: () => number;

  /** @param account whose quotes are issued and accepted */
  constructor(secret: string, account: string, now: () => number = Date.now) {
    this.#secret = secret;
    this.#account = account;
    this.#now = now;
  }

  issue(quoted: Quoted, credits: number): ToolQuote {
    const expires = this.#now() + LIFETIME_MS;
    const unsigned = `${expires.toString(36)}_${credits}_${randomBytes(8).toString('hex')}`;
    return { quoteId: `quote_${unsigned}_${this.#sign(unsigned, quoted)}`, credits, expiresAt: new Date(expires).toISOString() };
  }

  /** Verifies a quote. @returns the credits that the call may cost, or why it may not be made */
  accept(quoteId: string, quoted: Quoted): { credits: number } | { problem: string } {
    const [, expires, credits, chance, signature] = FORM.exec(quoteId) ?? [];
    if (!expires || !credits || !chance || !signature) return { problem: 'This is no quote: call the tool itself to get one.' };
    const wanted = this.#sign(`${expires}_${credits}_${chance}`, quoted);
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(wanted)))
      return { problem: 'The quote is of another call: repeat the tool and the arguments that it was given for, exactly.' };
    if (Number.parseInt(expires, 36) < this.#now())
      return { problem: 'The quote is older than ten minutes: call the tool itself to get a new one.' };
    return { credits: Number(credits) };
  }

  #sign(unsigned: string, { tool, arguments: given }: Quoted): string {
    const text = canonicalJson(['quote', this.#account, unsigned, tool, given]);
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, 40);
  }
}
