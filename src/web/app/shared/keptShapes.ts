/** The shapes on the map, kept while the page is open, also when its other tabs are shown. */
import type { DrawnShape } from './shapes.ts';

let kept: readonly DrawnShape[] = [];

export const keptShapes = () => kept;

export function keepShapes(shapes: readonly DrawnShape[]): void {
  kept = shapes;
}

/** Forgets every shape. @returns puts them back; undefined if there were none */
export function forgetShapes(): (() => void) | undefined {
  if (!kept.length) return undefined;
  const before = kept;
  kept = [];
  return () => keepShapes(before);
}
