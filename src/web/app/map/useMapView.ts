/** The drawn map as long as its tab is open. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MapProjectsData } from '../../../clients/client/generated.ts';
import { useLatest } from '../shared/hooks.ts';
import { boxAround, boxOfShape } from '../shared/shapes.ts';
import { type PageState, sidesOf } from '../shared/state.ts';
import type { AttributionPart } from './attribution.ts';
import { canDraw, type MapEvents, MapView } from './mapView.ts';
import type { KeptShapes } from './useShapes.ts';

const NO_WEBGL =
  'This browser cannot draw the map: it has no WebGL 2. The list has everything that the map would show; to see the map, switch hardware acceleration on or use another browser.';

export interface DrawnMap {
  /** the element that the map fills */
  holder: RefObject<HTMLDivElement | null>;
  /** null until it is ready */
  map: MapView | null;
  /** whether it shows what was found: before that, it shows a view that nobody chose */
  isFitted: boolean;
  /** why there is none, in a sentence */
  undrawn: string | null;
  /** who made the background */
  credits: readonly AttributionPart[];
}

/** Opens the map, and keeps it equal to the state of the page. @param events may differ with each call */
export function useMapView(
  { view, project }: PageState,
  data: MapProjectsData | null,
  shapes: KeptShapes,
  events: Omit<MapEvents, 'credited'>,
): DrawnMap {
  const holder = useRef<HTMLDivElement>(null);
  const latest = useLatest(events);
  const [credits, setCredits] = useState<readonly AttributionPart[]>([]);
  const [map, setMap] = useState<MapView | null>(null);
  const [isFitted, setFitted] = useState(false);
  const [undrawn, setUndrawn] = useState(() => (canDraw() ? null : NO_WEBGL));

  useEffect(() => {
    if (undrawn || !holder.current) return undefined;
    let opened: MapView | null = null;
    let isLeft = false;
    MapView.open(holder.current, view, {
      moved: (next) => latest.current.moved(next),
      opened: (id) => latest.current.opened(id),
      restrictionsOpened: (ids) => latest.current.restrictionsOpened(ids),
      entered: (cluster) => latest.current.entered(cluster),
      arranged: (clusters) => latest.current.arranged(clusters),
      credited: setCredits,
      drawn: (shape, replaced) => latest.current.drawn(shape, replaced),
    }).then(
      (ready) => {
        if (isLeft) return ready.close();
        opened = ready;
        return setMap(ready);
      },
      (error) => setUndrawn(`The map could not be drawn (${error.message}). The list has everything that it would show.`),
    );
    return () => {
      isLeft = true;
      opened?.close();
    };
  }, []);
  useEffect(() => {
    if (!map || !data) return;
    map.answer(data);
    const around = boxAround([...(data.view ? [data.view] : []), ...shapes.searched.map(boxOfShape)]);
    if (!view && around) map.fit(sidesOf(around), !isFitted);
    setFitted(true);
  }, [map, data]);
  useEffect(
    () => map?.shapes(shapes.all, shapes.isSearched),
    [map, JSON.stringify(shapes.all.map((one) => [one, shapes.isSearched(one)]))],
  );
  useEffect(() => {
    // After the back button, the map follows the address.
    if (map && view && map.view !== view) map.fitTo(view);
  }, [map, view]);
  useEffect(() => {
    if (!project) map?.mark(null);
  }, [map, project]);
  return { holder, map, isFitted, undrawn, credits };
}
