/** A notice on other tabs that the filters of an open alert or list are being edited, with a link back to it. */
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';

export function OpenReminder() {
  const { open, tab } = usePage().state;
  // The table shows the open list itself.
  if (!open || tab === 'alerts' || tab === 'lists' || (tab === 'table' && open.startsWith('lst_'))) return null;
  const [what, home] = open.startsWith('alr_') ? ['alert', 'alerts' as const] : ['list', 'lists' as const];
  return (
    <p class="waiting">
      The filters here are for an open {what}. <StateLink to={{ tab: home, project: null }}>Back to the {what}, to take them</StateLink> or{' '}
      <StateLink to={{ open: null }}>leave it as it is</StateLink>.
    </p>
  );
}
