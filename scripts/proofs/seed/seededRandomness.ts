/** Seeds randomness: random ids and pauses of simulated processes follow from the seed of the run. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { currentProcess } from './clock.ts';

const REAL = { randomBytes: crypto.randomBytes, randomUUID: crypto.randomUUID, random: Math.random };

let draw: (() => number) | undefined;

/** Seeds the generator at the beginning of a run. */
export function seedRandomness(seed: number): void {
  let state = seed >>> 0;
  // mulberry32
  draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Replaces the random functions within simulated processes by the seeded generator. @returns what restores them */
export function installSeededRandomness(): () => void {
  const drawing = () => (currentProcess.getStore() ? draw : undefined);
  const bytes = (count: number, one: () => number) => Buffer.from(Array.from({ length: count }, () => Math.floor(one() * 256)));
  const randomBytes = (count: number, ...callback: []) => {
    const one = drawing();
    return one ? bytes(count, one) : REAL.randomBytes(count, ...callback);
  };
  const randomUUID = (...options: [crypto.RandomUUIDOptions?]) => {
    const one = drawing();
    if (!one) return REAL.randomUUID(...options);
    const hex = bytes(16, one).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, { randomBytes, randomUUID });
  Math.random = () => (drawing() ?? REAL.random)();
  syncBuiltinESMExports();
  return () => {
    const { random, ...others } = REAL;
    Object.assign(crypto, others);
    Math.random = random;
    syncBuiltinESMExports();
  };
}
