/**
 * The spending of a command. A call is first made with a limit of 0 credits: if it is free it succeeds, otherwise the service refuses it with its
 * price, and it is repeated after a person has confirmed the price.
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

  /** Credits that further calls may still cost. */
  get left(): number {
    return this.#left;
  }

  /**
   * Calls an operation that may cost credits.
   * @param priceOfAll the price of the whole command, if this is the first of several calls; by default that of the call
   * @throws UserError with the price if nobody can be asked, Cancelled if it was declined; nothing was charged then
   */
  async ask<Id extends keyof Operations>(id: Id, input: object, priceOfAll?: () => Promise<number>): Promise<Answer<Id>> {
    const make = () => this.#cli.ask(id, input, { maxCredits: this.#left });
    const answer = await make().catch(async (error: unknown) => {
      await this.confirmPrice(error, priceOfAll);
      return make();
    });
    const { meta } = answer as { meta?: { creditsUsed?: number } };
    this.recordCharge(meta?.creditsUsed ?? 0);
    return answer;
  }

  /** Asks for confirmation of the price for which a call was refused; any other error is thrown again. */
  async confirmPrice(error: unknown, priceOfAll?: () => Promise<number>): Promise<void> {
    const price = priceAboveMax(error);
    if (price === undefined) throw error;
    const all = this.#limit === undefined ? await priceOfAll?.() : undefined;
    await this.confirm(price, Math.max(price, all ?? 0));
  }

  /** Asks for confirmation of a price. @param all the price of the whole command */
  async confirm(price: number, all = price): Promise<void> {
    if (this.#limit !== undefined)
      throw new UserError(`This would cost ${creditsInWords(price)}, and --max-credits leaves ${this.#left}. ${this.#chargedSoFar()}`);
    const { balance } = (await this.#cli.ask('getCredits')).data;
    const question = `This will cost ${this.#charged ? 'another ' : ''}${creditsInWords(all)} at most; ${creditsInWords(balance)} are left.`;
    if (balance < price)
      throw new UserError(`This would cost ${creditsInWords(all)}, and ${balance} are left: ask for less. ${this.#chargedSoFar()}`);
    if (!canAsk()) throw new UserError(`${question} Nobody can be asked here: add --yes, or --max-credits ${all}. ${this.#chargedSoFar()}`);
    if (!(await askYesNo(question, this.#cli.signal))) throw new Cancelled(`Stopped. ${this.#chargedSoFar()}`);
    this.#left = all;
  }

  /**
   * Asks for confirmation of look-ups of contacts, on every plan, since they use credits or an allowance.
   * @throws UserError with the price if nobody can be asked, Cancelled if it was declined; nothing was charged then
   */
  async confirmLookUps(lookUps: number): Promise<void> {
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
    this.#left = Math.max(this.#left, credits);
  }

  recordCharge(credits: number): void {
    this.#charged += credits;
    this.#left = Math.max(0, this.#left - credits);
  }

  /** Prints what was charged and what is left, if anything was charged. */
  async report(): Promise<void> {
    if (!this.#charged) return;
    const { balance } = (await this.#cli.ask('getCredits')).data;
    this.#cli.note(`Charged ${creditsInWords(this.#charged)}; ${balance.toLocaleString('en-US')} are left.`);
  }

  #chargedSoFar(): string {
    return this.#charged ? `${creditsInWords(this.#charged)} were charged before that.` : 'Nothing was charged.';
  }
}
