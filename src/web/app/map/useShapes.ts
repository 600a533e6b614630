/** The shapes on the map: those in the filters, and others that were drawn or imported, and are not used in the search. */
import { useState } from 'preact/hooks';
import { keepShapes, keptShapes } from '../shared/keptShapes.ts';
import { boxOfShape, type DrawnShape, filtersOfShapes, isSameShape, SEARCHED_MAX, SHAPE_FILTERS, shapesOf } from '../shared/shapes.ts';
import { type PageState, withFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { countInWords } from '../shared/words.ts';

export interface ShapeActions {
  /** Adds a shape to those that are searched in, or puts it in the place of another one. */
  search: (shape: DrawnShape, replaced?: DrawnShape | null) => void;
  /** Adds shapes to the map, and searches in them too unless they are too many. */
  add: (shapes: readonly DrawnShape[]) => void;
  /** Searches in a shape of the map, or no longer. */
  choose: (shape: DrawnShape, isSearched: boolean) => void;
  /** Removes shapes from the map, and from the filters. */
  remove: (shapes: readonly DrawnShape[]) => void;
}

const TOO_MANY = `One search takes ${SEARCHED_MAX} areas. The new one is kept on the map: clear another to search in it.`;

/** The shapes with one in the place of another, or at the end. */
function replaceShape(shapes: readonly DrawnShape[], shape: DrawnShape, replaced: DrawnShape | null | undefined): DrawnShape[] {
  const at = replaced ? shapes.findIndex((one) => isSameShape(one, replaced)) : -1;
  const others = shapes.filter((one, i) => i !== at && !isSameShape(one, shape));
  return at < 0 ? [...others, shape] : [...others.slice(0, at), shape, ...others.slice(at)];
}

/** @param view `west,south,east,north`; null for one that shows everything */
function liesWithin(shape: DrawnShape, view: string | null): boolean {
  if (!view) return true;
  const [west = 0, south = 0, east = 0, north = 0] = view.split(',').map(Number);
  const box = boxOfShape(shape);
  return box.west >= west && box.east <= east && box.south >= south && box.north <= north;
}

/** @param stateNow returns the present state of the page */
export function shapeActions(kept: KeptShapes, stateNow: () => PageState, go: (next: PageState) => void): ShapeActions {
  const searchIn = (shapes: readonly DrawnShape[]) => {
    const now = stateNow();
    const next = withFilters(now, filtersOfShapes(shapes));
    // Where a new one reaches out of the view, the map goes to what is searched in.
    const isInView = shapes.every((shape) => searched().some((one) => isSameShape(one, shape)) || liesWithin(shape, now.view));
    go(isInView ? next : { ...next, view: null });
  };
  const searched = () => shapesOf(stateNow().filters);
  return {
    search: (drawn, replaced) => {
      const shape = replaced?.name && !drawn.name ? { ...drawn, name: replaced.name } : drawn;
      const next = replaceShape(searched(), shape, replaced);
      kept.change(replaceShape(kept.all, shape, replaced));
      if (next.length > SEARCHED_MAX) showToast(TOO_MANY);
      else searchIn(next);
    },
    add: (shapes) => {
      const next = shapes.reduce<DrawnShape[]>((before, shape) => replaceShape(before, shape, null), searched());
      kept.change(shapes.reduce((before, shape) => replaceShape(before, shape, null), kept.all));
      if (next.length <= SEARCHED_MAX) searchIn(next);
    },
    choose: (shape, isSearched) => {
      const others = searched().filter((one) => !isSameShape(one, shape));
      searchIn(isSearched ? [...others, shape] : others);
    },
    remove: (shapes) => {
      const { filters } = stateNow();
      const isRemoved = (shape: DrawnShape) => shapes.some((one) => isSameShape(one, shape));
      const hasSearched = searched().some(isRemoved);
      const before = Object.fromEntries([...SHAPE_FILTERS, 'areas'].map((name) => [name, filters[name] ?? null]));
      kept.change(kept.all.filter((shape) => !isRemoved(shape)));
      if (hasSearched) searchIn(searched().filter((shape) => !isRemoved(shape)));
      showToast(`${countInWords(shapes.length, 'area')} removed.`, async () => {
        kept.change([...kept.all, ...shapes]);
        if (hasSearched) go(withFilters(stateNow(), before));
      });
    },
  };
}

export interface KeptShapes {
  all: readonly DrawnShape[];
  /** those in the filters, in the order of the areas there */
  searched: readonly DrawnShape[];
  /** whether the filters hold a shape */
  isSearched: (shape: DrawnShape) => boolean;
  change: (shapes: readonly DrawnShape[]) => void;
}

export function useShapes(filters: Readonly<Record<string, string>>): KeptShapes {
  const [, redraw] = useState(0);
  const searched = shapesOf(filters);
  const findSearched = (shape: DrawnShape) => searched.find((one) => isSameShape(one, shape));
  // A name in the address is newer than one that was kept.
  const known = keptShapes().map((shape) => findSearched(shape) ?? shape);
  keepShapes([...known, ...searched.filter((shape, i) => ![...known, ...searched.slice(0, i)].some((one) => isSameShape(one, shape)))]);
  return {
    all: keptShapes(),
    searched,
    isSearched: (shape) => Boolean(findSearched(shape)),
    change: (shapes) => {
      keepShapes(shapes);
      redraw((n) => n + 1);
    },
  };
}
