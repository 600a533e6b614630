/**
 * What commands spend: a call is first made for nothing, so that the service refuses it with its price, and is made once somebody has agreed to
 * that price. A call that costs nothing has been made then.
 */
import type { Command } from 'commander';
import { UserError, wholeNumber } from '../../terminal/program.ts';
import { askYesNo, canAsk } from '../../terminal/prompt.ts';
import { type Operations, priceAboveMax } from '../client/index.ts';
import type { Cli } from './context.ts';
import { Cancelled } from './failures.ts';

const CREDITS_MAX = 999_999_999;

export interface SpendingOptions {
  yes?: boolean;
  maxCredits?: number;
}

/** The options of every command that may spend. */
export const addSpendingOptions = (command: Command): Command =>
  command
    .option('-y, --yes', 'spend without asking')
    .option('--max-credits <credits>', 'spend at most so many, without asking', wholeNumber(0, CREDITS_MAX));

/** @param count how many */
export const creditsInWords = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;

type Answer<Id extends keyof Operations> = Operations[Id]['answer'];

export class Spending {
  readonly #cli: Cli;
  readonly #limit: number | undefined;
  readonly #yes: boolean;
  #left: number;
  #charged = 0;

  constructor(cli: Cli, { yes = false, maxCredits }: SpendingOptions) {
    this.#cli = cli;
    this.#limit = maxCredits;
    this.#yes = yes;
    this.#left = maxCredits ?? (yes ? CREDITS_MAX : 0);
  }

  /** Credits that further calls may cost. */
  get left(): number {
    return this.#left;
  }

  /**
   * An operation that may cost.
   * @param priceOfAll what the whole command will cost, where this is the first of several calls; the price of the call unless given
   * @throws UserError with the price where nobody can be asked, Cancelled where it was declined; nothing was charged then
   */
  async ask<Id extends keyof Operations>(id: Id, input: object, priceOfAll?: () => Promise<number>): Promise<Answer<Id>> {
    const make = () => this.#cli.ask(id, input, { maxCredits: this.#left });
    const answer = await make().catch(async (error: unknown) => {
      await this.agree(error, priceOfAll);
      return make();
    });
    const { meta } = answer as { meta?: { creditsUsed?: number } };
    this.note(meta?.creditsUsed ?? 0);
    return answer;
  }

  /** Has somebody agree to what a call was refused for; any other error is thrown again. */
  async agree(error: unknown, priceOfAll?: () => Promise<number>): Promise<void> {
    const price = priceAboveMax(error);
    if (price === undefined) throw error;
    if (this.#limit !== undefined)
      throw new UserError(`This would cost ${creditsInWords(price)}, and --max-credits leaves ${this.#left}. ${this.#chargedSoFar()}`);
    const all = Math.max(price, (await priceOfAll?.()) ?? 0);
    const { balance } = (await this.#cli.ask('getCredits')).data;
    const question = `This will cost ${this.#charged ? 'another ' : ''}${creditsInWords(all)} at most; ${creditsInWords(balance)} are left.`;
    if (balance < price)
      throw new UserError(`This would cost ${creditsInWords(all)}, and ${balance} are left: ask for less. ${this.#chargedSoFar()}`);
    if (!canAsk()) throw new UserError(`${question} Nobody can be asked here: add --yes, or --max-credits ${all}. ${this.#chargedSoFar()}`);
    if (!(await askYesNo(question, this.#cli.signal))) throw new Cancelled(`Stopped. ${this.#chargedSoFar()}`);
    this.#left = all;
  }

  /**
   * Look-ups of contacts take credits or allowance: they are agreed to on every plan. Without an answer beforehand somebody is asked.
   * @throws UserError with the price where nobody can be asked, Cancelled where it was declined; nothing was charged then
   */
  async agreeToLookUps(lookUps: number): Promise<void> {
    const { contactCreditRate, enrichment, balance } = (await this.#cli.ask('getCredits')).data;
    const credits = lookUps * contactCreditRate;
    if (this.#yes || (credits > 0 && credits <= (this.#limit ?? 0))) return;
    if (credits > 0 && this.#limit !== undefined)
      throw new UserError(`This would cost ${creditsInWords(credits)}, and --max-credits leaves ${this.#left}. Nothing was charged.`);
    const price = credits
      ? `${creditsInWords(credits)} at most; ${creditsInWords(balance)} are left`
      : `${lookUps} look-ups at most${enrichment.remaining === null ? '' : `; ${enrichment.remaining} are left`}`;
    const answer = credits ? `--yes, or --max-credits ${credits}` : '--yes';
    if (!canAsk()) throw new UserError(`This will take ${price}. Nobody can be asked here: add ${answer}. Nothing was charged.`);
    if (!(await askYesNo(`This will take ${price}.`, this.#cli.signal))) throw new Cancelled('Stopped. Nothing was charged.');
    this.#left = credits;
  }

  /** Credits that an answer has charged or reserved. */
  note(credits: number): void {
    this.#charged += credits;
    this.#left = Math.max(0, this.#left - credits);
  }

  /** Says what was charged and what is left, where anything was. */
  async report(): Promise<void> {
    if (!this.#charged) return;
    const { balance } = (await this.#cli.ask('getCredits')).data;
    this.#cli.note(`Charged ${creditsInWords(this.#charged)}; ${balance.toLocaleString('en-US')} are left.`);
  }

  #chargedSoFar(): string {
    return this.#charged ? `${creditsInWords(this.#charged)} were charged before that.` : 'Nothing was charged.';
  }
}
