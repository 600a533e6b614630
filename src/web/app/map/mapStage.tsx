/** The map with what lies on it: tools, zoom, legend, credit. */
import type { MapProjectsData } from '../../../clients/client/generated.ts';
import type { DrawnShape } from '../shared/shapes.ts';
import type { Theme } from '../shared/theme.ts';
import { DrawTools } from './drawTools.tsx';
import { colourOf, TYPE_COLOURS } from './palette.ts';
import type { DrawnMap } from './useMapView.ts';
import type { ShapeActions } from './useShapes.ts';

interface LegendProps {
  theme: Theme;
  hasCells: boolean;
  hasProjects: boolean;
}

const Legend = ({ theme, hasCells, hasProjects }: LegendProps) => (
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

interface StageProps {
  drawn: DrawnMap;
  data: MapProjectsData | undefined;
  theme: Theme;
  /** shapes that are searched in */
  searched: readonly DrawnShape[];
  actions: ShapeActions;
  isPanelOpen: boolean;
  /** opens or closes the panel of shapes */
  onPanel: () => void;
}

export const Stage = ({ drawn: { holder, map, isFitted, undrawn, credits }, data, theme, ...tools }: StageProps) => (
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
          <button type="button" aria-label="Zoom in" onClick={() => map.zoom(1)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => map.zoom(-1)}>
            −
          </button>
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
            Outlines: U.S. Census Bureau. Names: GeoNames. Drawn by MapLibre.
          </span>
        </p>
      </>
    )}
  </section>
);
