/** The shapes on the map: those in the filters, and others that were drawn or imported, and are not used in the search. */
import { useState } from 'preact/hooks';
import { type DrawnShape, isSameShape, shapesOf } from './shapes.ts';

/** Kept while the page is open, also when its other tabs are shown. */
let keptShapes: readonly DrawnShape[] = [];

export interface KeptShapes {
  all: readonly DrawnShape[];
  /** whether the filters hold a shape */
  isSearched: (shape: DrawnShape) => boolean;
  /** Adds shapes; the first one may replace another. */
  add: (added: readonly DrawnShape[], replaced?: DrawnShape | null) => void;
  remove: (shapes: readonly DrawnShape[]) => void;
}

const withShapes = (before: readonly DrawnShape[], added: readonly DrawnShape[]) => [
  ...before,
  ...added.filter((shape, i) => ![...before, ...added.slice(0, i)].some((other) => isSameShape(shape, other))),
];

export function useShapes(filters: Readonly<Record<string, string>>): KeptShapes {
  const [, redraw] = useState(0);
  const searched = shapesOf(filters);
  keptShapes = withShapes(keptShapes, searched);
  const change = (next: readonly DrawnShape[]) => {
    keptShapes = next;
    redraw((n) => n + 1);
  };
  return {
    all: keptShapes,
    isSearched: (shape) => searched.some((other) => isSameShape(shape, other)),
    add: (added, replaced) => {
      const at = replaced ? keptShapes.findIndex((shape) => isSameShape(shape, replaced)) : -1;
      change(at < 0 ? withShapes(keptShapes, added) : [...keptShapes.slice(0, at), ...added, ...keptShapes.slice(at + 1)]);
    },
    remove: (shapes) => change(keptShapes.filter((shape) => !shapes.some((other) => isSameShape(shape, other)))),
  };
}
