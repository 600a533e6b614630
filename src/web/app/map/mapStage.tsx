/** The map with what lies on it: tools, zoom, legend, credit. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MapProjectsData } from '../../../clients/client/generated.ts';
import type { DrawnShape } from '../shared/shapes.ts';
import type { Theme } from '../shared/theme.ts';
import { Button } from '../shared/ui.tsx';
import { DrawTools } from './drawTools.tsx';
import type { MapView } from './mapView.ts';
import { colourOf, TYPE_COLOURS } from './palette.ts';
import type { DrawnMap } from './useMapView.ts';
import type { ShapeActions } from './useShapes.ts';

const Legend = ({ theme, hasCells, hasProjects }: { theme: Theme; hasCells: boolean; hasProjects: boolean }) => (
  <div class="legend">
    {hasCells && (
      <p>
        <span class="cells" aria-hidden="true">
          <i class="s1" />
          <i class="s2" />
          <i class="s3" />
          <i class="s4" />
        </span>{' '}
        under 10, under 100, under 1,000, more
      </p>
    )}
    {hasProjects && (
      <ul>
        {Object.entries(TYPE_COLOURS).map(([type, { label }]) => (
          <li key={type}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={colourOf(type, theme)} />
            </svg>
            {label}
          </li>
        ))}
      </ul>
    )}
  </div>
);

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** Shows where the reader is, if the browser says so. */
function NearMe({ map }: { map: MapView }) {
  const [refusal, setRefusal] = useState('');
  const find = () => {
    setRefusal('');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => map.goTo([coords.longitude, coords.latitude]),
      ({ message }) => setRefusal(`Your browser does not say where you are (${message}). Allow it in the settings of this site.`),
    );
  };
  return (
    <>
      <Button aria-label="Near me" title="Near me" onClick={find}>
        <Icon path="M12 2v4m0 12v4M2 12h4m12 0h4M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm0 4.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z" />
      </Button>
      <p class="hint" role="status" hidden={!refusal}>
        {refusal}
      </p>
    </>
  );
}

interface StageProps {
  drawn: DrawnMap;
  data: MapProjectsData | undefined;
  theme: Theme;
  searched: readonly DrawnShape[];
  actions: ShapeActions;
  isPanelOpen: boolean;
  /** switches the layer of restrictions */
  restrictionSwitch: ComponentChildren;
  /** fits the map to what is found */
  onFit: () => void;
  /** opens or closes the panel of shapes */
  onPanel: () => void;
}

export const Stage = ({
  drawn: { holder, map, isFitted, undrawn, credits },
  data,
  theme,
  restrictionSwitch,
  onFit,
  ...tools
}: StageProps) => (
  <section class="stage" aria-label="Map">
    {undrawn ? (
      <div class="no-map">
        <p role="status">{undrawn}</p>
      </div>
    ) : (
      <div class="map" ref={holder} />
    )}
    {map && (
      <>
        <DrawTools map={map} isFitted={isFitted} {...tools} />
        {/* biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form */}
        <div class="zoom" role="group" aria-label="Zoom">
          <Button aria-label="Zoom in" onClick={() => map.zoom(1)}>
            +
          </Button>
          <Button aria-label="Zoom out" onClick={() => map.zoom(-1)}>
            −
          </Button>
          <Button aria-label="Fit to all results" title="Fit to all results" onClick={onFit}>
            <Icon path="M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5" />
          </Button>
          <NearMe map={map} />
          {restrictionSwitch}
        </div>
        <Legend theme={theme} hasCells={Boolean(data?.cells.length)} hasProjects={Boolean(data?.projects.length)} />
        <p class={`credit ${credits.length > 0 ? 'attributed' : ''}`}>
          {credits.map(({ text, href }) =>
            href ? (
              <a key={href + text} href={href} target="_blank" rel="noopener noreferrer">
                {text}
              </a>
            ) : (
              text
            ),
          )}
          <span class="ours">
            {credits.length > 0 && '. '}
            Outlines: U.S. Census Bureau. Land and water: Natural Earth. Names: GeoNames. Drawn by MapLibre.
          </span>
        </p>
      </>
    )}
  </section>
);
