/** The tabs of the page: a row each. */
import type { ComponentType } from 'preact';
import { Alerts } from './account/alerts.tsx';
import { Connections } from './account/connections.tsx';
import { Exports } from './account/exports.tsx';
import { Keys } from './account/keys.tsx';
import { Lists } from './account/lists.tsx';
import { Receipts } from './account/receipts.tsx';
import { Webhooks } from './account/webhooks.tsx';
import { Ask } from './ask/ask.tsx';
import { Charts } from './charts/charts.tsx';
import { Compare } from './charts/compare.tsx';
import { Hearings } from './hearings/hearings.tsx';
import { MapTab } from './map/mapTab.tsx';
import { Match } from './match/match.tsx';
import { Odds } from './odds/odds.tsx';
import type { TabName } from './shared/state.ts';
import { TableTab } from './table/tableTab.tsx';

interface TabRow {
  label: string;
  /** takes the whole width and height of the window */
  isWide?: boolean;
  /** shows what the filters of the address select, under the bar of filters */
  hasFilters?: boolean;
  /** the period of meetings that counts unless one is chosen, where it is not that of a search */
  dateRange?: string;
  Content: ComponentType;
}

export const TAB_ROWS: Readonly<Record<TabName, TabRow>> = {
  map: { label: 'Map', isWide: true, hasFilters: true, Content: MapTab },
  table: { label: 'Table', isWide: true, hasFilters: true, Content: TableTab },
  ask: { label: 'Ask', Content: Ask },
  charts: { label: 'Charts', hasFilters: true, Content: Charts },
  odds: { label: 'Odds', hasFilters: true, Content: Odds },
  compare: { label: 'Compare', hasFilters: true, Content: Compare },
  hearings: { label: 'Hearings', hasFilters: true, dateRange: 'all', Content: Hearings },
  match: { label: 'Match', Content: Match },
  exports: { label: 'Exports', Content: Exports },
  alerts: { label: 'Alerts', Content: Alerts },
  lists: { label: 'Lists', Content: Lists },
  webhooks: { label: 'Webhooks', Content: Webhooks },
  keys: { label: 'Keys', Content: Keys },
  connections: { label: 'Connections', Content: Connections },
  receipts: { label: 'Receipts', Content: Receipts },
};

/** Tabs that one entry of the navigation leads to. */
interface TabGroup {
  label: string;
  tabs: readonly [TabName, ...TabName[]];
}

/** The navigation. */
export const TAB_GROUPS: readonly TabGroup[] = [
  { label: 'Map', tabs: ['map'] },
  { label: 'Table', tabs: ['table'] },
  { label: 'Ask', tabs: ['ask'] },
  { label: 'Insights', tabs: ['charts', 'odds', 'compare'] },
  { label: 'Hearings', tabs: ['hearings'] },
  { label: 'Saved', tabs: ['lists', 'alerts', 'match'] },
];

export const ACCOUNT_TABS = ['exports', 'webhooks', 'keys', 'connections', 'receipts'] as const satisfies readonly TabName[];
