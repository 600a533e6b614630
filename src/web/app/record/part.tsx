/** A part of a record under a small heading. */
import type { ComponentChildren } from 'preact';

export const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part">
    <h3>{title}</h3>
    {children}
  </section>
);
