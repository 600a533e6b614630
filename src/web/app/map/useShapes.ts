/** The shapes on the map: those in the filters, and others that were drawn or imported, and are not used in the search. */
import { useState } from 'preact/hooks';
import { type PageState, withFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { countInWords } from '../shared/words.ts';
import { type DrawnShape, filtersOfShape, isSameShape, SHAPE_FILTERS, shapesOf } from './shapes.ts';

export interface ShapeActions {
  /** Searches in a shape alone; it takes the place of another one on the map if one is given. */
  search: (shape: DrawnShape, replaced?: DrawnShape | null) => void;
  /** Adds shapes to the map, and searches in the only one if there is only one. */
  add: (shapes: readonly DrawnShape[]) => void;
  /** Removes shapes from the map, and from the filters. */
  remove: (shapes: readonly DrawnShape[]) => void;
}

/** @param stateNow returns the present state of the page */
export function shapeActions(kept: KeptShapes, stateNow: () => PageState, go: (next: PageState) => void): ShapeActions {
  const search = (shape: DrawnShape, replaced: DrawnShape | null = null) => {
    kept.add([shape], replaced);
    go(withFilters(stateNow(), filtersOfShape(shape)));
  };
  return {
    search,
    add: (shapes) => {
      const [only] = shapes;
      if (shapes.length === 1 && only) search(only);
      else kept.add(shapes);
    },
    remove: (shapes) => {
      const { filters } = stateNow();
      const searched = shapes.filter(kept.isSearched);
      const before = Object.fromEntries(SHAPE_FILTERS.map((name) => [name, filters[name] ?? null]));
      kept.remove(shapes);
      if (searched.length) go(withFilters(stateNow(), Object.fromEntries(searched.map(({ filter }) => [filter, null]))));
      showToast(`${countInWords(shapes.length, 'shape')} removed.`, async () => {
        kept.add(shapes);
        if (searched.length) go(withFilters(stateNow(), before));
      });
    },
  };
}

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
