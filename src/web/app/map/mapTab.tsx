/** The tab with the map, the filters, the list and the panels. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { MapProjectsData } from '../../../clients/client/generated.ts';
import { NothingFound } from '../filters/nothingFound.tsx';
import { callCached } from '../shared/api.ts';
import { useAnswer, useLatest, useListener } from '../shared/hooks.ts';
import { type ReaderAccount, usePage } from '../shared/page.ts';
import { isTaken } from '../shared/singleKeys.ts';
import { readAddress, sidesOf, toFilters } from '../shared/state.ts';
import { useTheme } from '../shared/theme.ts';
import { Pending } from '../shared/ui.tsx';
import { readUnconfirmed, UnconfirmedNote } from '../shared/unconfirmed.tsx';
import { number } from '../shared/words.ts';
import { AreaTotals } from './areaTotals.tsx';
import { canBuyAtOnce } from './clusterPanel.tsx';
import { boxOfTiles, type MapCluster } from './clusters.ts';
import { Stage } from './mapStage.tsx';
import { MapPanel, type OpenPanel } from './panel.tsx';
import { RestrictionSwitch, RestrictionsPanel, useRestrictions } from './restrictionsPanel.tsx';
import { Results, spoken } from './results.tsx';
import { Start } from './start.tsx';
import { useMapView } from './useMapView.ts';
import { shapeActions, useShapes } from './useShapes.ts';

/** Tiles at this zoom are about a block wide: opening a cluster lists its projects instead of zooming in. */
const DEEP_ZOOM = 16;

/** Moves the focus to the title of a record or panel that was opened, and back to what opened it once it is closed. */
function useFocusedTitle(project: number | null, panel: OpenPanel | null) {
  const isOpen = Boolean(project || panel);
  useEffect(() => {
    const opener = isOpen ? document.activeElement : null;
    return () => {
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, [isOpen]);
  useEffect(() => {
    if (!project && !panel) return;
    const title = document.querySelector<HTMLElement>('.panel h2');
    title?.scrollIntoView({ block: 'nearest' });
    title?.focus();
  }, [project, panel]);
}

/** Whether a cluster opens as a panel with its price, instead of being zoomed to. */
function opensPanel(chosen: MapCluster, { creditRate }: ReaderAccount, data: MapProjectsData | undefined): boolean {
  const [zoom = 0] = chosen.tile.split('/').map(Number);
  // A tile that is coarser than others in the view has no finer tiles.
  const isFinest = chosen.tiles.length === 1 && (zoom >= DEEP_ZOOM || zoom < (data?.tileZoom ?? 0));
  return creditRate > 0 && (canBuyAtOnce(chosen) || isFinest);
}

const Total = ({ data }: { data: MapProjectsData | undefined }) => (
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

export function MapTab() {
  const { state, go, account, onSpent } = usePage();
  const { filters, view, project } = state;
  const theme = useTheme();
  const [panel, setPanel] = useState<OpenPanel | null>(null);
  const [showsRestrictions, setRestrictions] = useState(false);
  const [bought, setBought] = useState(0);
  const [arranged, setArranged] = useState<MapCluster[] | null>(null);
  const latest = useLatest(state);
  // A cluster is of the filters with which it was found; it goes before its panel asks for the price under others.
  useLayoutEffect(() => setPanel((now) => (now?.kind === 'cluster' ? null : now)), [JSON.stringify(filters)]);
  const shapes = useShapes(filters);
  // From the address, which is right also after this tab was left.
  const actions = shapeActions(shapes, () => readAddress(location), go);
  const asked = useAnswer(
    (signal) => callCached('mapProjects', { ...toFilters(filters), ...(view ? { view } : {}) }, { signal }),
    [JSON.stringify(filters), view, bought],
  );
  const data = asked.answer?.data;
  const zoomTo = (chosen: MapCluster) => {
    const box = sidesOf(boxOfTiles(chosen.tiles));
    setPanel(null);
    if (map) map.fitTo(box);
    else go({ ...latest.current, view: box });
  };
  const enter = (chosen: MapCluster) => {
    if (opensPanel(chosen, account, data)) {
      go({ ...state, project: null });
      setPanel({ kind: 'cluster', cluster: chosen });
    } else zoomTo(chosen);
  };
  const open = (id: number | null) => {
    setPanel(null);
    go({ ...latest.current, project: id });
  };
  const close = () => (panel ? setPanel(null) : open(null));
  useListener('keydown', (event) => {
    if (event.key === 'Escape' && !isTaken(event) && (panel || project)) close();
  });
  const drawn = useMapView(state, data ?? null, shapes, {
    moved: (next) => next !== view && go({ ...state, view: next }, true),
    opened: open,
    restrictionsOpened: (ids) => setPanel({ kind: 'restrictions', ids }),
    entered: enter,
    arranged: setArranged,
    drawn: actions.search,
  });
  const { map } = drawn;
  const restrictions = useRestrictions(map, showsRestrictions);
  const switchRestrictions = () => {
    setRestrictions(!showsRestrictions);
    setPanel(showsRestrictions ? null : { kind: 'restrictions', ids: null });
  };
  const showAll = () => go({ ...state, view: data?.extent ? sidesOf(data.extent) : null });
  const shown = data && { ...data, cells: (map && arranged) ?? data.cells.map((one) => ({ ...one, tiles: [one.tile] })) };
  useFocusedTitle(project, panel);
  const spend = () => {
    onSpent();
    setBought((n) => n + 1);
  };
  return (
    <>
      <h1 class="hidden">Map of land-use projects</h1>
      <div class="map-tab">
        <Stage
          drawn={drawn}
          data={data}
          theme={theme}
          searched={shapes.searched}
          actions={actions}
          restrictionSwitch={<RestrictionSwitch isOn={showsRestrictions} onSwitch={switchRestrictions} />}
          onFit={() => go({ ...state, view: null }, true)}
          isPanelOpen={panel?.kind === 'shapes'}
          onPanel={() => setPanel(panel?.kind === 'shapes' ? null : { kind: 'shapes' })}
        />
        <aside class="found" aria-label="What the map shows">
          <header>
            <Total data={data} />
          </header>
          {data && !project && shapes.searched.length > 1 && (
            <AreaTotals areas={shapes.searched} counts={data.areaCounts} matchCount={data.matchCount} />
          )}
          <p class="hidden" role="status" aria-live="polite">
            {asked.loading ? '' : spoken(shown)}
          </p>
          {asked.problem && <Pending asked={asked} />}
          <MapPanel
            panel={panel}
            map={map}
            shapes={shapes}
            counts={data?.areaCounts ?? []}
            actions={actions}
            restrictionsPanel={
              <RestrictionsPanel
                asked={restrictions}
                ids={panel?.kind === 'restrictions' ? panel.ids : null}
                onAll={() => setPanel({ kind: 'restrictions', ids: null })}
                onClose={() => setPanel(null)}
              />
            }
            onClose={close}
            results={data && { ids: data.projects.map(({ id }) => id), open }}
            onZoom={zoomTo}
            onSpent={spend}
          />
          {!panel && !project && Object.keys(filters).length === 0 && <Start />}
          {!asked.problem && <Pending asked={asked} what="Looking for projects" />}
          {shown && (
            <div class={panel || project ? 'behind' : ''}>
              <h2 class="hidden">What the map shows</h2>
              <UnconfirmedNote {...readUnconfirmed(asked.answer?.meta.warnings)} />
              <Results
                answer={shown}
                theme={theme}
                open={project}
                onOpen={open}
                onEnter={enter}
                onShowAll={showAll}
                areSomeFar={view === null}
                nothing={<NothingFound />}
              />
            </div>
          )}
        </aside>
      </div>
    </>
  );
}
