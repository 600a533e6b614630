/** Where an allowance ends: when it comes again, and whom to ask for more. */
import { usePage } from './page.ts';
import { settings } from './settings.ts';
import { date } from './words.ts';

/** Links to those who can give more; nobody is named where the service names nobody. */
export const WhomToAsk = () => (
  <span class="ask-for-more">
    {settings.upgradeUrl && <a href={settings.upgradeUrl}>Change the plan</a>}
    {settings.upgradeUrl && settings.contactUrl && ' · '}
    {settings.contactUrl && <a href={settings.contactUrl}>Ask for more</a>}
  </span>
);

/** The shortest of them. */
export function MoreLink() {
  const href = settings.upgradeUrl ?? settings.contactUrl;
  return href && <a href={href}>More credits</a>;
}

export function MoreCredits() {
  const { resetsAt, plan } = usePage().account;
  return (
    <span>
      {resetsAt ? `New credits come on ${date(resetsAt)}.` : `The credits of the ${plan.label.toLowerCase()} are for life.`} <WhomToAsk />
    </span>
  );
}
