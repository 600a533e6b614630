/** Calls of concurrent requests that go to a server together: one call for several costs both sides hardly more than one for each. */

/** No item waits longer for others: an answer that is late holds nobody up. */
const WAIT_MAX_MS = 5;

interface Gathering<Item, Answer> {
  /** makes one call; answers in the order of the items */
  call(items: readonly Item[]): Promise<readonly Answer[]>;
  /** calls under way from which on items wait for each other */
  callsMax: number;
  /** of one call */
  itemsMax: number;
  /** called when the last call has ended and nothing waits */
  onIdle?(): void;
}

interface Waiter<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** An item is sent at once while few calls are under way. Otherwise it goes with all others that came until one of them has ended. */
export class GatheredCalls<Item, Answer> {
  readonly #options: Gathering<Item, Answer>;
  #waiting: Waiter<Item, Answer>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Gathering<Item, Answer>) {
    this.#options = options;
  }

  /** @throws what the call throws, which then is the same error for each of its items */
  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#underWay < this.#options.callsMax) this.#send();
      else this.#timer ??= setTimeout(() => this.#send(), WAIT_MAX_MS);
    });
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting.splice(0, this.#options.itemsMax);
    if (this.#waiting.length) this.#timer = setTimeout(() => this.#send(), WAIT_MAX_MS);
    this.#underWay += 1;
    this.#answer(sent).finally(() => {
      this.#underWay -= 1;
      if (this.#waiting.length) this.#send();
      else if (!this.#underWay) this.#options.onIdle?.();
    });
  }

  async #answer(sent: readonly Waiter<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.call(sent.map(({ item }) => item));
      for (const [i, { resolve }] of sent.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }
}
