/** What every drawn chart has: its SVG at the width of its element, and the hatching of what is hidden. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface MarkLink {
  href: string;
  follow: () => void;
}

/** Labels are hidden from screen readers, since each mark has its own text. */
export const UNSPOKEN = { 'aria-hidden': true } as const;
const USUAL_WIDTH = 640;

/** The width of an element in pixels, as it changes. */
export function useWidth() {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(USUAL_WIDTH);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, Math.round(entry.contentRect.width))));
    if (holder.current) observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);
  return { holder, width };
}

export const Hatch = ({ id }: { id: string }) => (
  <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
  </pattern>
);

/** An SVG with a title, which sends screen readers to the table. */
export function Drawing({ width, height, title, children }: { width: number; height: number; title: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <svg class="chart-drawing" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${title}; the table has the numbers`}>
      {children}
    </svg>
  );
}
