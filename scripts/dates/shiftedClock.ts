/** The shifted clock of `npm run test:dates`, for programs with an environment of their own: processes whose clocks differ refuse each other. */
const NAMES = ['LD_PRELOAD', 'CLOCK_SHIFT_SECONDS'] as const;

export const shiftedClock: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
