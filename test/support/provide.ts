/** What the tests of a suite share. */

/** By suite: the last one that was made is the first to end. */
const stacks = new WeakMap<object, AsyncDisposableStack>();

/** Made before the tests of the suite that calls this, and ended after them. It can be named before it is there. */
export function provide<T extends AsyncDisposable>(make: () => Promise<T>): T {
  let made: T | undefined;
  before(async function () {
    const suite = this.test?.parent as object;
    const stack = stacks.get(suite) ?? new AsyncDisposableStack();
    stacks.set(suite, stack);
    made = stack.use(await make());
  });
  after(function () {
    return stacks.get(this.test?.parent as object)?.disposeAsync();
  });
  return new Proxy({} as T, {
    get: (_, name) => {
      const value = made && Reflect.get(made, name, made);
      return typeof value === 'function' ? value.bind(made) : value;
    },
    set: (_, name, value) => made !== undefined && Reflect.set(made, name, value, made),
  });
}
