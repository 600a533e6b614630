/** Buttons that draw a shape on the map and edit it; it becomes a filter. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useListener } from '../shared/hooks.ts';
import { Button, PrimaryButton } from '../shared/ui.tsx';
import type { MapView } from './mapView.ts';
import type { DrawingKind, DrawingStatus } from './shapeDrawing.ts';
import { areaOfShape, circleShape, type DrawnShape, wordsOfArea, wordsOfShape } from './shapes.ts';
import type { ShapeActions } from './useShapes.ts';

const KINDS: Readonly<Record<DrawingKind, { label: string; hint: string }>> = {
  polygon: { label: 'Polygon', hint: 'Click each corner; click the first again, or press Enter, to close. Escape gives up.' },
  rectangle: { label: 'Rectangle', hint: 'Click a corner, then the opposite one. Escape gives up.' },
  circle: { label: 'Circle', hint: 'Click the middle, then the edge. Escape gives up.' },
};
const EDIT_HINT = {
  polygon: 'Drag corners, or the points between them; a right click removes a corner. Enter keeps it, Escape gives up.',
  rectangle: 'Drag a corner, or all of it. Enter keeps it, Escape gives up.',
  circle: 'Drag the edge, or all of it. Enter keeps it, Escape gives up.',
};
/** The part of the view that a circle fills. */
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
    if (key === 'Enter' && now.current?.edited && !(target instanceof HTMLButtonElement)) map.finish();
  });
  return { status, isLoaded };
}

/** What is drawn now, how it goes on, and the area so far. */
const DrawingHint = ({ map, status: { kind, edited, canUndo, area } }: { map: MapView; status: DrawingStatus }) => (
  <div class="hint drawing">
    <p role="status">{edited ? EDIT_HINT[kind] : KINDS[kind].hint}</p>
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
  /** those that are searched in */
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
        <button type="button" disabled={!isFitted} onClick={drawCircleInView}>
          Circle in view
        </button>
        {searched.length === 1 && only && (
          <>
            <button type="button" disabled={!isLoaded} aria-pressed={Boolean(status?.edited)} onClick={() => setRefusal(map.edit(only))}>
              Edit
            </button>
            <Button onClick={() => map.fitShape(only)}>Fit</Button>
          </>
        )}
        {only && <Button onClick={() => actions.remove(searched)}>Remove shape</Button>}
        <button type="button" aria-expanded={isPanelOpen} onClick={onPanel}>
          Shapes …
        </button>
        {refusal && (
          <p class="hint" role="alert">
            This shape cannot be edited on the map ({refusal}): remove it, and draw it again.
          </p>
        )}
        {only && !status && (
          <p class="hint area">
            {searched.length > 1 ? `Inside all ${searched.length} shapes` : `${wordsOfShape(only)}: ${wordsOfArea(areaOfShape(only))}`}
          </p>
        )}
      </div>
      {status && <DrawingHint map={map} status={status} />}
    </>
  );
}
