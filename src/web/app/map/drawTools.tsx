/** Buttons that draw a shape on the map and edit it; it becomes a filter. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useListener } from '../shared/hooks.ts';
import { areaOfShape, circleShape, type DrawnShape, wordsOfArea, wordsOfShape } from '../shared/shapes.ts';
import { Button, PrimaryButton } from '../shared/ui.tsx';
import type { MapView } from './mapView.ts';
import type { DrawingKind, DrawingStatus } from './shapeDrawing.ts';
import type { ShapeActions } from './useShapes.ts';

const KINDS: Readonly<Record<DrawingKind, { label: string; hint: string }>> = {
  polygon: { label: 'Polygon', hint: 'Click each corner; click the first again, or press Enter, to close. Escape gives up.' },
  rectangle: { label: 'Rectangle', hint: 'Click a corner, then the opposite one. Escape gives up.' },
  circle: { label: 'Circle', hint: 'Click the middle, then the edge, or type the radius. Escape gives up.' },
};
const EDIT_HINT = {
  polygon: 'Drag corners, or the points between them; a right click removes a corner. Enter keeps it, Escape gives up.',
  rectangle: 'Drag a corner, or all of it. Enter keeps it, Escape gives up.',
  circle: 'Drag the edge, or all of it, or type the radius. Enter keeps it, Escape gives up.',
};
const METERS_PER_KM = 1000;
const VIEW_PART = 0.8;

/** What is being drawn, with Escape and Enter for it. */
function useDrawing(map: MapView): { status: DrawingStatus | null; isLoaded: boolean } {
  const [status, setStatus] = useState<DrawingStatus | null>(null);
  const [isLoaded, setLoaded] = useState(false);
  const now = useRef<DrawingStatus | null>(null);
  useEffect(() => {
    map.loadDrawing().then(() => setLoaded(true));
    return map.observeDrawing((next) => {
      now.current = next;
      setStatus(next);
    });
  }, [map]);
  useListener('keydown', ({ key, target }) => {
    if (key === 'Escape') map.draw(null);
    if (key === 'Enter' && now.current?.edited && !(target instanceof HTMLButtonElement || target instanceof HTMLInputElement))
      map.finish();
  });
  return { status, isLoaded };
}

/** The radius so far; Enter makes a circle of the one that is typed. */
function RadiusInput({ map, radiusMeters }: { map: MapView; radiusMeters: number | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = radiusMeters === null ? '' : String(Number((radiusMeters / METERS_PER_KM).toPrecision(3)));
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const meters = Number(typed ?? shown) * METERS_PER_KM;
    if (meters > 0) map.finishCircle(meters);
  };
  return (
    <form class="radius" onSubmit={take}>
      <label for="circle-radius">Radius, km</label>
      <input
        id="circle-radius"
        type="number"
        min={0.1}
        max={500}
        step="any"
        value={typed ?? shown}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit">Use it</button>
    </form>
  );
}

/** What is drawn now, how it goes on, and the area so far. */
const DrawingHint = ({ map, status: { kind, edited, canUndo, area, radiusMeters } }: { map: MapView; status: DrawingStatus }) => (
  <div class="hint drawing">
    <p role="status">{edited ? EDIT_HINT[kind] : KINDS[kind].hint}</p>
    {kind === 'circle' && <RadiusInput map={map} radiusMeters={radiusMeters} />}
    <p>
      {canUndo && <Button onClick={() => map.undo()}>{edited ? 'Undo' : 'Undo corner'}</Button>}
      {edited && <PrimaryButton onClick={() => map.finish()}>Keep</PrimaryButton>}
      <Button onClick={() => map.draw(null)}>Cancel</Button>
      {area !== null && area > 0 && <span class="area">{wordsOfArea(area)}</span>}
    </p>
  </div>
);

interface DrawToolsProps {
  map: MapView;
  /** whether the map shows what was found */
  isFitted: boolean;
  searched: readonly DrawnShape[];
  actions: ShapeActions;
  isPanelOpen: boolean;
  onPanel: () => void;
}

export function DrawTools({ map, isFitted, searched, actions, isPanelOpen, onPanel }: DrawToolsProps) {
  const { status, isLoaded } = useDrawing(map);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => setRefusal(null), [status, JSON.stringify(searched)]);
  const drawCircleInView = () => {
    const { lat, lng, meters } = map.middle();
    actions.search(circleShape({ lat, lng, radiusMeters: meters * VIEW_PART }));
  };
  const begin = (kind: DrawingKind) => map.draw(status?.kind === kind && !status.edited ? null : kind);
  const [only] = searched;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form */}
      <div class={status ? 'tools busy' : 'tools'} role="group" aria-label="Draw on the map">
        {Object.entries(KINDS).map(([kind, { label }]) => (
          <button
            key={kind}
            type="button"
            disabled={!isLoaded || !isFitted}
            aria-pressed={status?.kind === kind && !status.edited}
            onClick={() => begin(kind as DrawingKind)}
          >
            {label}
          </button>
        ))}
        <Button disabled={!isFitted} onClick={drawCircleInView}>
          Circle in view
        </Button>
        {searched.length === 1 && only && (
          <>
            <Button disabled={!isLoaded} aria-pressed={Boolean(status?.edited)} onClick={() => setRefusal(map.edit(only))}>
              Edit
            </Button>
          </>
        )}
        {only && <Button onClick={() => actions.remove(searched)}>{searched.length > 1 ? 'Remove areas' : 'Remove area'}</Button>}
        <Button aria-expanded={isPanelOpen} onClick={onPanel}>
          Areas …
        </Button>
        {refusal && (
          <p class="hint" role="alert">
            This shape cannot be edited on the map ({refusal}): remove it, and draw it again.
          </p>
        )}
        {only && !status && (
          <p class="hint area">
            {searched.length > 1
              ? `In any of ${searched.length} areas`
              : `${only.name ?? wordsOfShape(only)}: ${wordsOfArea(areaOfShape(only))}`}
          </p>
        )}
      </div>
      {status && <DrawingHint map={map} status={status} />}
    </>
  );
}
