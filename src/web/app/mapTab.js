// The tab with the map, the filters, the list and the panels.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { askKept } from './api.ts';
import { BOUGHT_MAX, ClusterPanel } from './cluster.js';
import { Filters } from './filters/filters.tsx';
import { html } from './html.js';
import { canDraw, MapView, themeNow } from './mapView.js';
import { colourOf, TYPE_COLOURS } from './palette.js';
import { RecordPanel } from './record.js';
import { Results, spoken } from './results.js';
import { Share } from './share.js';
import { boxOfTile, queryOf, withFilters } from './state.ts';
import { Loading, Notice, useAnswer } from './ui.tsx';
import { number } from './words.ts';

/** Tiles at this zoom are about a block wide: opening a cluster lists its projects instead of zooming in. */
const DEEP_ZOOM = 16;

const textOf = (/** @type {any} */ { north, south, east, west }) => [west, south, east, north].join(',');

/** @param {{theme: 'light' | 'dark', hasCells: boolean, hasProjects: boolean}} given */
const Legend = ({ theme, hasCells, hasProjects }) => html`<div class="legend">
  ${hasCells && html`<p><span class="cells" aria-hidden="true"><i class="s1"></i><i class="s2"></i><i class="s3"></i><i class="s4"></i></span> under 10, under 100, under 1,000, more</p>`}
  ${hasProjects && html`<ul>${Object.entries(TYPE_COLOURS).map(([type, { label }]) => html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill=${colourOf(type, theme)} /></svg>${label}</li>`)}</ul>`}
</div>`;

/** @param {{map: any, filters: Record<string, string>, onChange: (change: Record<string, string | null>) => void}} given */
function DrawTools({ map, filters, onChange }) {
  const [kind, setKind] = useState(/** @type {'polygon' | 'circle' | null} */ (null));
  const begin = (/** @type {'polygon' | 'circle' | null} */ next) => {
    map.draw(next);
    setKind(next);
  };
  // A layout effect, since an ordinary one runs a frame later and could cancel a drawing that has begun meanwhile.
  useLayoutEffect(() => setKind(null), [filters.polygon, filters.circle]);
  useLayoutEffect(() => {
    if (!kind) return undefined;
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') begin(null);
      if (event.key === 'Enter' && kind === 'polygon') map.finishPolygon();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, [kind]);
  const drawCircleInView = () => {
    const { lat, lng, meters } = map.middle();
    const radiusMeters = Math.max(100, Math.min(500_000, Math.round(meters * 0.8)));
    onChange({ circle: JSON.stringify({ lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)), radiusMeters }), polygon: null });
  };
  const drawn = filters.polygon || filters.circle || filters.bbox;
  return html`<div class="tools" role="group" aria-label="Draw on the map">
    <button type="button" aria-pressed=${kind === 'polygon'} onClick=${() => begin(kind === 'polygon' ? null : 'polygon')}>Polygon</button>
    <button type="button" aria-pressed=${kind === 'circle'} onClick=${() => begin(kind === 'circle' ? null : 'circle')}>Circle</button>
    <button type="button" onClick=${drawCircleInView}>Circle in view</button>
    ${drawn && html`<button type="button" onClick=${() => onChange({ polygon: null, circle: null, bbox: null })}>Remove shape</button>`}
    ${kind && html`<p role="status">${kind === 'polygon' ? 'Click each corner; click the first again, or press Enter, to close. Escape gives up.' : 'Click the middle, then the edge. Escape gives up.'}</p>`}
  </div>`;
}

/**
 * @param {{state: import('./state.ts').PageState, go: (next: import('./state.ts').PageState, replace?: boolean) => void, account: import('./api.ts').ReaderAccount, words: import('./api.ts').Words | null, onSpent: () => void}} given
 */
export function MapTab({ state, go, account, words, onSpent }) {
  const { filters, view, project } = state;
  const holder = useRef(/** @type {HTMLElement | null} */ (null));
  const map = useRef(/** @type {MapView | null} */ (null));
  const latest = useRef({ state, go });
  latest.current = { state, go };
  const [ready, setReady] = useState(false);
  const [undrawn] = useState(() =>
    canDraw()
      ? null
      : 'This browser cannot draw the map: it has no WebGL 2. The list has everything that the map would show; to see the map, switch hardware acceleration on or use another browser.',
  );
  const [failed, setFailed] = useState(/** @type {string | null} */ (null));
  const [cell, setCell] = useState(/** @type {any} */ (null));
  const [sharing, setSharing] = useState(false);
  const [theme, setTheme] = useState(themeNow());
  const [bought, setBought] = useState(0);
  const { answer, problem, loading, again } = useAnswer(
    (signal) => askKept(`/projects/map${queryOf({ ...filters, view })}`, { signal }),
    [JSON.stringify(filters), view, bought],
  );
  const data = answer?.data;

  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const listen = () => setTheme(themeNow());
    dark.addEventListener('change', listen);
    return () => dark.removeEventListener('change', listen);
  }, []);

  useEffect(() => {
    if (undrawn || !holder.current) return undefined;
    let left = false;
    MapView.open(holder.current, view, {
      moved: (next) => {
        const { state: now, go: to } = latest.current;
        if (next !== now.view) to({ ...now, view: next }, true);
      },
      opened: (id) => latest.current.go({ ...latest.current.state, project: id }),
      entered: (chosen) => enter(chosen),
      drawn: (filter) => {
        const { state: now, go: to } = latest.current;
        if (filter) to(withFilters(now, { polygon: null, circle: null, ...filter }));
      },
    }).then(
      (opened) => {
        if (left) return opened.close();
        map.current = opened;
        return setReady(true);
      },
      (error) => setFailed(`The map could not be drawn (${error.message}). The list has everything that it would show.`),
    );
    return () => {
      left = true;
      map.current?.close();
      map.current = null;
    };
  }, []);

  useEffect(() => {
    if (!ready || !data) return;
    map.current?.answer(data);
    if (!view && data.view) map.current?.fit(textOf(data.view));
  }, [ready, data]);
  useEffect(() => {
    if (ready) map.current?.shape(filters);
  }, [ready, JSON.stringify(filters)]);
  useEffect(() => {
    // After the back button, the map follows the address.
    if (ready && view && map.current?.view !== view) map.current?.look(view);
  }, [ready, view]);
  useEffect(() => {
    if (!project) map.current?.mark(null);
  }, [project]);
  useEffect(() => {
    if (project || cell || sharing) document.querySelector('.panel h2')?.scrollIntoView({ block: 'nearest' });
    if (project || cell || sharing) /** @type {HTMLElement | null} */ (document.querySelector('.panel h2'))?.focus();
  }, [project, cell, sharing]);

  const change = (/** @type {Record<string, string | null>} */ next) => go(withFilters(state, next));
  const zoomTo = (/** @type {any} */ chosen) => {
    const box = textOf(boxOfTile(chosen.tile));
    if (map.current) map.current.look(box);
    else go({ ...latest.current.state, view: box });
  };
  const enter = (/** @type {any} */ chosen) => {
    const [zoom = 0] = chosen.tile.split('/').map(Number);
    setSharing(false);
    // A tile that is coarser than others in the view has no finer tiles.
    const isFinest = zoom >= DEEP_ZOOM || zoom < (data?.tileZoom ?? 0);
    if (account.creditRate > 0 && (chosen.count <= BOUGHT_MAX || isFinest)) {
      latest.current.go({ ...latest.current.state, project: null });
      setCell(chosen);
    } else zoomTo(chosen);
  };
  const open = (/** @type {number | null} */ id) => {
    setCell(null);
    setSharing(false);
    go({ ...state, project: id });
  };
  const panel = sharing
    ? html`<${Share} filters=${filters} view=${view} onClose=${() => setSharing(false)} />`
    : project
      ? html`<${RecordPanel} key=${project} id=${project} account=${account} onClose=${() => open(null)} onRead=${(/** @type {any} */ record) => map.current?.mark(record)} onSpent=${() => {
          onSpent();
          setBought((n) => n + 1);
        }} />`
      : cell
        ? html`<${ClusterPanel} key=${cell.tile} cell=${cell} filters=${filters} onClose=${() => setCell(null)} onZoom=${() => {
            zoomTo(cell);
            setCell(null);
          }} onSpent=${() => {
            setCell(null);
            zoomTo(cell);
            onSpent();
            setBought((n) => n + 1);
          }} />`
        : null;
  return html`<h1 class="hidden">Map of land-use projects</h1><div class="map-tab">
    <aside class="side"><details class="fold" open=${innerWidth > 900}><summary>Filters${Object.keys(filters).length > 0 && html` <span class="badge">${Object.keys(filters).length}</span>`}</summary>
      <${Filters} filters=${filters} words=${words} onChange=${change} onClear=${() => go({ ...state, filters: {}, view: null, project: null })} /></details></aside>
    <section class="stage" aria-label="Map">
      ${undrawn || failed ? html`<div class="no-map"><p role="status">${undrawn ?? failed}</p></div>` : html`<div class="map" ref=${holder}></div>`}
      ${
        ready &&
        html`<${DrawTools} map=${map.current} filters=${filters} onChange=${change} />
        <div class="zoom" role="group" aria-label="Zoom"><button type="button" aria-label="Zoom in" onClick=${() => map.current?.zoom(1)}>+</button><button type="button" aria-label="Zoom out" onClick=${() => map.current?.zoom(-1)}>−</button></div>
        <${Legend} theme=${theme} hasCells=${data?.cells.length > 0} hasProjects=${data?.projects.length > 0} />
        <p class="credit">Outlines: U.S. Census Bureau. Names: GeoNames. Drawn by MapLibre.</p>`
      }
    </section>
    <aside class="found" aria-label="What the map shows">
      <header><p class="total">${data ? html`<strong>${number(data.matchCount)}</strong> ${data.matchCount === 1 ? 'project' : 'projects'}<span class="note">${data.inView < data.matchCount ? `${number(data.inView)} in view` : 'all in view'}</span>` : html`<span class="note">Counting …</span>`}</p>
        <button type="button" onClick=${() => setSharing(!sharing)} aria-expanded=${sharing}>Copy as code</button></header>
      <p class="hidden" role="status" aria-live="polite">${loading ? '' : spoken(data)}</p>
      ${problem && html`<${Notice} problem=${problem} again=${again} />`}
      ${panel}
      ${!data && !problem && html`<${Loading} what="Looking for projects" />`}
      ${data && html`<div class=${panel ? 'behind' : ''}><h2 class="hidden">What the map shows</h2><${Results} answer=${data} theme=${theme} open=${project} onOpen=${open} onEnter=${enter} onShowAll=${() => go({ ...state, view: null })} /></div>`}
    </aside>
  </div>`;
}
