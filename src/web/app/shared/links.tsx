/** Links to other states of the page, which change it without loading it again; in HTML and in SVG. */
import type { ComponentChildren } from 'preact';
import { type SignedPage, usePage } from './page.ts';
import { type PageState, toAddress } from './state.ts';

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

export const linkTo = (go: SignedPage['go'], next: PageState) => ({ href: toAddress(next), follow: () => go(next) });

/** @param given `to`: what the link changes of the page's state */
export function StateLink({ to, children }: { to: Partial<PageState>; children?: ComponentChildren }) {
  const { state, go } = usePage();
  return <Link {...linkTo(go, { ...state, ...to })}>{children}</Link>;
}
