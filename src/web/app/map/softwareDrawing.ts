/** Without a graphics card a map is drawn in software, which takes longer than a frame: while it moves, most frames shift the last drawing. */
import type { LngLat, Map as MapLibre } from 'maplibre-gl';

/** Names that browsers and systems give to drawing in software. */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
/** Between two drawings of a moving map. */
const DRAWING_INTERVAL_MS = 150;

function isDrawnInSoftware(map: MapLibre): boolean {
  const gl = map.getCanvas().getContext('webgl2');
  const known = gl?.getExtension('WEBGL_debug_renderer_info');
  return Boolean(gl && known && SOFTWARE.test(String(gl.getParameter(known.UNMASKED_RENDERER_WEBGL))));
}

interface Drawing {
  center: LngLat;
  zoom: number;
  at: number;
}

/** Moves and scales the canvas to where its drawing belongs by now. The map neither turns nor tilts. */
function shiftDrawing(map: MapLibre, { center, zoom }: Drawing): void {
  const canvas = map.getCanvas();
  const { x, y } = map.project(center);
  const [right, down] = [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
  canvas.style.transform = `translate(${right}px, ${down}px) scale(${2 ** (map.getZoom() - zoom)})`;
}

export function drawRarelyWhileMoving(map: MapLibre): void {
  if (!isDrawnInSoftware(map)) return;
  const { painter } = map;
  const draw = painter.render.bind(painter);
  let last: Drawing | undefined;
  painter.render = (style, transform, options) => {
    if (last && options.moving && performance.now() - last.at < DRAWING_INTERVAL_MS) return shiftDrawing(map, last);
    draw(style, transform, options);
    map.getCanvas().style.transform = '';
    last = { center: map.getCenter(), zoom: map.getZoom(), at: performance.now() };
  };
  map.on('moveend', () => map.triggerRepaint());
}
