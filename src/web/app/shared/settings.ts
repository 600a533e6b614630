/** Settings that the server embeds in the page. */
interface Settings {
  publicUrl: string;
  /** whom readers ask for help or more; null if nobody is named */
  contactUrl: string | null;
  /** where a plan is changed; null if nowhere */
  upgradeUrl: string | null;
  /** path of the worker of the map's renderer */
  worker: string;
  /** paths of the map's own layers */
  outlines: { states: string; counties: string; ground: string; names: string; areas: string };
  /** paths of the names of places by their numbers */
  placeNames: { counties: string; cities: string };
  /** what is drawn below them: the address of a style, or of an archive of tiles; null for nothing */
  background: { kind: 'style' | 'tiles'; url: string } | null;
  /** path of the file with every filter */
  filters: string;
  /** path of the record table and the orders of a search */
  recordFields: string;
  /** what helps, by code of an error */
  remedies: Record<string, string>;
}

export const settings: Settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
