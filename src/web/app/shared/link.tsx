/** A link to another state of the page, in HTML and in SVG. */
import type { ComponentChildren } from 'preact';

interface LinkProps {
  href: string;
  /** changes the state without loading the page again */
  follow: () => void;
  class?: string;
  'aria-label'?: string;
  'aria-current'?: 'page' | undefined;
  children?: ComponentChildren;
}

export function Link({ href, follow, children, ...attributes }: LinkProps) {
  const click = (event: MouseEvent) => {
    // The browser opens a new tab or window, or saves the address.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow();
  };
  return (
    <a href={href} {...attributes} onClick={click}>
      {children}
    </a>
  );
}
