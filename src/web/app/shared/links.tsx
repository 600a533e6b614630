/** Links within the page that change its state without loading it again. */
import type { ComponentChildren } from 'preact';
import { Link } from './link.tsx';
import { toAddress } from './state.ts';
import type { TabProps } from './tabs.tsx';

export type PagePosition = Pick<TabProps, 'state' | 'go'>;

interface StateLinkProps extends PagePosition {
  /** what the link changes of the page's state */
  to: Partial<TabProps['state']>;
  children?: ComponentChildren;
}

export function StateLink({ state, go, to, children }: StateLinkProps) {
  const next = { ...state, ...to };
  return (
    <Link href={toAddress(next)} follow={() => go(next)}>
      {children}
    </Link>
  );
}
