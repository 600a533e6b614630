/** Without a graphics card a map is drawn in software, pixel by pixel: with a ninth of them while it moves, with all of them once it rests. */
import type { Map as MapLibre } from 'maplibre-gl';

/** Names that browsers and systems give to drawing in software. */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
/** Of the screen's pixels, on each side. */
const COARSE_SHARE = 1 / 3;
/** A map that has not moved for so long rests. */
const REST_MS = 150;

function isDrawnInSoftware(map: MapLibre): boolean {
  const gl = map.getCanvas().getContext('webgl2');
  const known = gl?.getExtension('WEBGL_debug_renderer_info');
  return Boolean(gl && known && SOFTWARE.test(String(gl.getParameter(known.UNMASKED_RENDERER_WEBGL))));
}

export function drawCoarselyWhileMoving(map: MapLibre): void {
  if (!isDrawnInSoftware(map)) return;
  let isCoarse = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  /** The canvas is empty until the next drawing. `setPixelRatio` does the same and ends the gesture that moves the map. */
  const setCoarse = (wanted: boolean) => {
    if (wanted === isCoarse) return;
    isCoarse = wanted;
    map._overridePixelRatio = wanted ? devicePixelRatio * COARSE_SHARE : null;
    map._resizeInternal(false);
  };
  map.on('move', () => {
    if (!map.isMoving()) return;
    clearTimeout(resting);
    setCoarse(true);
  });
  map.on('moveend', () => {
    if (!isCoarse) return;
    clearTimeout(resting);
    resting = setTimeout(() => {
      setCoarse(false);
      map.redraw();
    }, REST_MS);
  });
  map.on('remove', () => clearTimeout(resting));
}
