/** What the map's colours mean. */
import { colourOf, type MapTheme, TYPE_COLOURS } from './palette.ts';

interface LegendProps {
  theme: MapTheme;
  hasCells: boolean;
  hasProjects: boolean;
}

export const Legend = ({ theme, hasCells, hasProjects }: LegendProps) => (
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
