/** The panel above the list: the shapes, a record, or a cluster with its price. */
import type { ComponentProps, VNode } from 'preact';
import { RecordPanel } from '../record/recordPanel.tsx';
import { usePage } from '../shared/page.ts';
import { ClusterPanel } from './clusterPanel.tsx';
import type { MapCluster } from './clusters.ts';
import type { MapView } from './mapView.ts';
import { ShapesPanel } from './shapesPanel.tsx';
import type { KeptShapes, ShapeActions } from './useShapes.ts';

/** What was opened last, besides the record that the address names. */
export type OpenPanel = { kind: 'shapes' } | { kind: 'restrictions'; ids: number[] | null } | { kind: 'cluster'; cluster: MapCluster };

interface MapPanelProps {
  panel: OpenPanel | null;
  map: MapView | null;
  shapes: KeptShapes;
  /** matches in each of the areas of the search */
  counts: readonly number[];
  actions: ShapeActions;
  /** the list that the record is one of */
  results: ComponentProps<typeof RecordPanel>['results'];
  restrictionsPanel: VNode;
  onClose: () => void;
  onZoom: (cluster: MapCluster) => void;
  onSpent: () => void;
}

export function MapPanel({ panel, map, shapes, counts, actions, results, restrictionsPanel, onClose, onZoom, onSpent }: MapPanelProps) {
  const { project } = usePage().state;
  if (panel?.kind === 'shapes') return <ShapesPanel shapes={shapes} counts={counts} actions={actions} map={map} onClose={onClose} />;
  if (panel?.kind === 'restrictions') return restrictionsPanel;
  if (panel)
    return (
      <ClusterPanel
        key={panel.cluster.tiles.join()}
        cluster={panel.cluster}
        onClose={onClose}
        onZoom={() => onZoom(panel.cluster)}
        onBought={() => {
          onZoom(panel.cluster);
          onSpent();
        }}
        onSpent={onSpent}
      />
    );
  if (!project) return null;
  return (
    <RecordPanel
      key={project}
      id={project}
      results={results}
      onClose={onClose}
      onRead={(record) => map?.mark(record.derived.locationDoubtful ? null : record)}
      onSpent={onSpent}
    />
  );
}
