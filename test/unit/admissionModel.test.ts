/** Admission under a simulated clock: three times what can be served, by clients that retry, and the minute after. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { quantile, sum } from '../../scripts/lib/report.ts';
import { Random } from '../../scripts/sample/random.ts';
import { ApiError } from '../../src/core/domain/errors.ts';
import { Turns } from '../../src/core/store/teamTurns.ts';

const LIMITS = { running: 8, waitMs: 1_425 };
const SERVICE_MS = 100;
const MOST_PER_SECOND = (LIMITS.running * 1000) / SERVICE_MS;
const DEADLINE_MS = 4_750;
/** The retries of the TypeScript client without its budget, which other clients lack. */
const RETRIES = 5;
/** Share of all requests by team; the last team sends less than its fair share. */
const PARTS = [0.6, 0.24, 0.13, 0.03];
const PATIENT = new AbortController().signal;

interface Period {
  from: number;
  until: number;
  /** calls of all teams, as a multiple of what can be served */
  times: number;
}

const BEFORE: Period = { from: 0, until: 10_000, times: 0.5 };
const OVERLOAD: Period = { from: 10_000, until: 40_000, times: 3 };
const AFTER: Period = { from: 40_000, until: 120_000, times: 0.5 };
const MINUTE_LATER = { from: 100_000, until: 120_000 };

interface Outcome {
  team: number;
  /** of the attempt */
  began: number;
  ended: number;
  served: boolean;
}

/** Clients and a service whose requests take random times, on a clock that jumps from event to event. */
class Simulation {
  now = 0;
  readonly outcomes: Outcome[] = [];
  readonly #random: Random;
  readonly #turns = new Turns(LIMITS, () => this.now);
  readonly #events: { at: number; run: () => void }[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed, 'admission');
  }

  #after(ms: number, run: () => void): void {
    const at = this.now + ms;
    const later = this.#events.findLastIndex((event) => event.at <= at);
    this.#events.splice(later + 1, 0, { at, run });
  }

  #exponential(meanMs: number): number {
    return -Math.log(1 - this.#random.next()) * meanMs;
  }

  offer({ from, until, times }: Period): void {
    for (const [team, part] of PARTS.entries()) {
      const pauseMs = 1000 / (MOST_PER_SECOND * times * part);
      for (let at = from + this.#exponential(pauseMs); at < until; at += this.#exponential(pauseMs))
        this.#after(at, () => this.#attempt(team, 1));
    }
  }

  #attempt(team: number, attempt: number): void {
    const began = this.now;
    const caller = { teamId: team, signal: PATIENT, deadline: began + DEADLINE_MS };
    const work = () => new Promise<void>((resolve) => this.#after(this.#exponential(SERVICE_MS), resolve));
    this.#turns.run(caller, work).then(
      () => this.outcomes.push({ team, began, ended: this.now, served: true }),
      (error) => {
        assert(error instanceof ApiError);
        this.outcomes.push({ team, began, ended: this.now, served: false });
        if (attempt <= RETRIES) this.#after(Number(error.headers['Retry-After']) * 1000, () => this.#attempt(team, attempt + 1));
      },
    );
  }

  async run(): Promise<void> {
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      mock.timers.tick(event.at - this.now);
      this.now = event.at;
      event.run();
      await settled();
    }
  }

  during({ from, until }: Pick<Period, 'from' | 'until'>): Outcome[] {
    return this.outcomes.filter(({ ended }) => ended >= from && ended < until);
  }
}

const p99 = (outcomes: readonly Outcome[]) =>
  quantile(
    outcomes.map(({ began, ended }) => ended - began),
    0.99,
  );
const served = (outcomes: readonly Outcome[]) => outcomes.filter((outcome) => outcome.served);
const perSecond = (outcomes: readonly unknown[], { from, until }: Pick<Period, 'from' | 'until'>) =>
  (outcomes.length * 1000) / (until - from);

describe('Admission of three times what can be served', () => {
  let simulation: Simulation;
  before(async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    simulation = new Simulation(1);
    for (const period of [BEFORE, OVERLOAD, AFTER]) simulation.offer(period);
    await simulation.run();
  });
  after(() => mock.timers.reset());

  it('keeps the pace of what is served, and answers soon', () => {
    const standing = { from: OVERLOAD.from + 5_000, until: OVERLOAD.until };
    const answers = served(simulation.during(standing));
    assert(perSecond(answers, standing) > 0.95 * MOST_PER_SECOND, `${perSecond(answers, standing)} a second`);
    assert(p99(answers) < 1_500, `${p99(answers)} ms`);
  });

  it('refuses at once, and asks back so that attempts do not multiply', () => {
    const attempts = simulation.during(OVERLOAD);
    const refused = attempts.filter((outcome) => !outcome.served);
    assert(refused.length > 0);
    assert(p99(refused) < 50, `${p99(refused)} ms`);
    assert(perSecond(attempts, OVERLOAD) < 8 * MOST_PER_SECOND, `${perSecond(attempts, OVERLOAD)} attempts a second`);
  });

  it('gives the small team all that it asks, and the large ones equal parts', () => {
    const answers = served(simulation.during({ from: OVERLOAD.from + 5_000, until: OVERLOAD.until }));
    const of = (team: number) =>
      perSecond(
        answers.filter((answer) => answer.team === team),
        { from: OVERLOAD.from + 5_000, until: OVERLOAD.until },
      );
    const rates = PARTS.map((_, team) => of(team));
    const asked = MOST_PER_SECOND * OVERLOAD.times * 0.03;
    assert((rates[3] as number) > 0.9 * asked, `${rates[3]} of ${asked} a second`);
    const large = rates.slice(0, 3);
    for (const rate of large) assert(rate > (0.9 * sum(large)) / 3, `${rate} of ${sum(large)} a second`);
  });

  it('is as before a minute later', () => {
    const [before, later] = [simulation.during(BEFORE), simulation.during(MINUTE_LATER)];
    assert.equal(later.length, served(later).length);
    assert(p99(later) < 1.5 * p99(before), `${p99(later)} ms instead of ${p99(before)} ms`);
  });
});
