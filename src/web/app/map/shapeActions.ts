/** Actions on shapes: search in one, remove some. */
import { type PageState, withFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { countInWords } from '../shared/words.ts';
import { type DrawnShape, filtersOfShape, SHAPE_FILTERS } from './shapes.ts';
import type { KeptShapes } from './useShapes.ts';

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
