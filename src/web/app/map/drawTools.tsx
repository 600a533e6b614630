/** Buttons that draw a shape on the map, which becomes a filter. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { FilterChange } from '../state.ts';
import type { DrawingKind, MapView } from './mapView.ts';

interface DrawToolsProps {
  map: MapView;
  filters: Readonly<Record<string, string>>;
  onChange: (change: FilterChange) => void;
}

export function DrawTools({ map, filters, onChange }: DrawToolsProps) {
  const [kind, setKind] = useState<DrawingKind | null>(null);
  const begin = (next: DrawingKind | null) => {
    map.draw(next);
    setKind(next);
  };
  // A layout effect, since an ordinary one runs a frame later and could cancel a drawing that has begun meanwhile.
  useLayoutEffect(() => setKind(null), [filters.polygon, filters.circle]);
  useLayoutEffect(() => {
    if (!kind) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') begin(null);
      if (event.key === 'Enter' && kind === 'polygon') map.finishPolygon();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [kind]);
  const drawCircleInView = () => {
    const { lat, lng, meters } = map.middle();
    const radiusMeters = Math.max(100, Math.min(500_000, Math.round(meters * 0.8)));
    onChange({ circle: JSON.stringify({ lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)), radiusMeters }), polygon: null });
  };
  const toggle = (one: DrawingKind) => begin(kind === one ? null : one);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <div class="tools" role="group" aria-label="Draw on the map">
      <button type="button" aria-pressed={kind === 'polygon'} onClick={() => toggle('polygon')}>
        Polygon
      </button>
      <button type="button" aria-pressed={kind === 'circle'} onClick={() => toggle('circle')}>
        Circle
      </button>
      <button type="button" onClick={drawCircleInView}>
        Circle in view
      </button>
      {(filters.polygon || filters.circle || filters.bbox) && (
        <button type="button" onClick={() => onChange({ polygon: null, circle: null, bbox: null })}>
          Remove shape
        </button>
      )}
      {kind && (
        <p role="status">
          {kind === 'polygon'
            ? 'Click each corner; click the first again, or press Enter, to close. Escape gives up.'
            : 'Click the middle, then the edge. Escape gives up.'}
        </p>
      )}
    </div>
  );
}
