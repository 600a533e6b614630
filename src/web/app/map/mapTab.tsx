/** The tab with the map, the filters, the list and the panels. */
import { useEffect, useState } from 'preact/hooks';
import { askKept } from '../api.ts';
import { Filters } from '../filters/filters.tsx';
import { RecordPanel } from '../record/recordPanel.tsx';
import { type FilterChange, queryOf, withFilters } from '../state.ts';
import type { TabProps } from '../tabs.tsx';
import { Loading, Notice, useAnswer } from '../ui.tsx';
import { number } from '../words.ts';
import { ClusterPanel, isForSale } from './clusterPanel.tsx';
import { boxOfTiles, type MapCluster } from './clusters.ts';
import type { MapAnswer } from './mapAnswer.ts';
import { themeNow } from './palette.ts';
import { Results, spoken } from './results.tsx';
import { Share } from './share.tsx';
import { Stage } from './stage.tsx';
import { useMapView } from './useMapView.ts';

/** Tiles at this zoom are about a block wide: opening a cluster lists its projects instead of zooming in. */
const DEEP_ZOOM = 16;

/** The theme, also after the reader's system changes it. */
function useTheme() {
  const [theme, setTheme] = useState(themeNow);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const listen = () => setTheme(themeNow());
    dark.addEventListener('change', listen);
    return () => dark.removeEventListener('change', listen);
  }, []);
  return theme;
}

const Total = ({ data }: { data: MapAnswer | undefined }) => (
  <p class="total">
    {data ? (
      <>
        <strong>{number(data.matchCount)}</strong> {data.matchCount === 1 ? 'project' : 'projects'}
        <span class="note">{data.inView < data.matchCount ? `${number(data.inView)} in view` : 'all in view'}</span>
      </>
    ) : (
      <span class="note">Counting …</span>
    )}
  </p>
);

export function MapTab({ state, go, account, words, onSpent }: TabProps) {
  const { filters, view, project } = state;
  const theme = useTheme();
  const [cell, setCell] = useState<MapCluster | null>(null);
  const [sharing, setSharing] = useState(false);
  const [bought, setBought] = useState(0);
  const [arranged, setArranged] = useState<MapCluster[] | null>(null);
  const { answer, problem, loading, again } = useAnswer(
    (signal) => askKept(`/projects/map${queryOf({ ...filters, view })}`, { signal }),
    [JSON.stringify(filters), view, bought],
  );
  const data: MapAnswer | undefined = answer?.data;
  const change = (next: FilterChange) => go(withFilters(state, next));
  const zoomTo = (chosen: MapCluster) => {
    const { west, south, east, north } = boxOfTiles(chosen.tiles);
    const box = [west, south, east, north].join(',');
    if (map) map.look(box);
    else go({ ...state, view: box });
  };
  const enter = (chosen: MapCluster) => {
    const [zoom = 0] = chosen.tile.split('/').map(Number);
    setSharing(false);
    // A tile that is coarser than others in the view has no finer tiles.
    const isFinest = chosen.tiles.length === 1 && (zoom >= DEEP_ZOOM || zoom < (data?.tileZoom ?? 0));
    if (account.creditRate > 0 && (isForSale(chosen) || isFinest)) {
      go({ ...state, project: null });
      setCell(chosen);
    } else zoomTo(chosen);
  };
  const drawn = useMapView(state, data ?? null, {
    moved: (next) => next !== view && go({ ...state, view: next }, true),
    opened: (id) => go({ ...state, project: id }),
    entered: enter,
    arranged: setArranged,
    drawn: (filter) => change({ polygon: null, circle: null, ...filter }),
  });
  const { map } = drawn;
  const alone = data?.cells.map((one) => ({ ...one, tiles: [one.tile] }));
  const shown = data && { ...data, cells: (map && arranged) ?? alone ?? [] };
  useEffect(() => {
    if (!project && !cell && !sharing) return;
    const title = document.querySelector<HTMLElement>('.panel h2');
    title?.scrollIntoView({ block: 'nearest' });
    title?.focus();
  }, [project, cell, sharing]);
  const open = (id: number | null) => {
    setCell(null);
    setSharing(false);
    go({ ...state, project: id });
  };
  const spend = () => {
    onSpent();
    setBought((n) => n + 1);
  };
  /** Zooms to the cluster, and closes its panel. */
  const leaveTo = (chosen: MapCluster) => {
    setCell(null);
    zoomTo(chosen);
  };
  const panel = sharing ? (
    <Share filters={filters} view={view} onClose={() => setSharing(false)} />
  ) : project ? (
    <RecordPanel
      key={project}
      id={project}
      account={account}
      results={data && { ids: data.projects.map(({ id }) => id), open }}
      onClose={() => open(null)}
      onRead={(record) => map?.mark(record)}
      onSpent={spend}
    />
  ) : cell ? (
    <ClusterPanel
      key={cell.tiles.join()}
      cluster={cell}
      filters={filters}
      onClose={() => setCell(null)}
      onZoom={() => leaveTo(cell)}
      onBought={() => {
        leaveTo(cell);
        spend();
      }}
    />
  ) : null;
  const filterCount = Object.keys(filters).length;
  return (
    <>
      <h1 class="hidden">Map of land-use projects</h1>
      <div class="map-tab">
        <aside class="side">
          <details class="fold" open={innerWidth > 900}>
            <summary>Filters {filterCount > 0 && <span class="badge">{filterCount}</span>}</summary>
            <Filters
              filters={filters}
              words={words}
              onChange={change}
              onClear={() => go({ ...state, filters: {}, view: null, project: null })}
            />
          </details>
        </aside>
        <Stage drawn={drawn} data={data} theme={theme} filters={filters} onChange={change} />
        <aside class="found" aria-label="What the map shows">
          <header>
            <Total data={data} />
            <button type="button" onClick={() => setSharing(!sharing)} aria-expanded={sharing}>
              Copy as code
            </button>
          </header>
          <p class="hidden" role="status" aria-live="polite">
            {loading ? '' : spoken(shown)}
          </p>
          {problem && <Notice problem={problem} again={again} />}
          {panel}
          {!data && !problem && <Loading what="Looking for projects" />}
          {shown && (
            <div class={panel ? 'behind' : ''}>
              <h2 class="hidden">What the map shows</h2>
              <Results
                answer={shown}
                theme={theme}
                open={project}
                onOpen={open}
                onEnter={enter}
                onShowAll={() => go({ ...state, view: null })}
              />
            </div>
          )}
        </aside>
      </div>
    </>
  );
}
