/** Attributions of maps, which sources give as HTML, as texts and links. Pure. */

export interface AttributionPart {
  text: string;
  /** address of a page */
  href?: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', copy: '©', gt: '>', lt: '<', nbsp: ' ', quot: '"', apos: "'" };

const decode = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

const textOf = (html: string) => decode(html.replaceAll(/<[^<>]*>/g, '')).replaceAll(/\s+/g, ' ');

const TAG_OF_LINK = /<(?:a\s[^<>]*|\/a\s*)>/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The parts of an attribution: links to web pages stay links, other markup is left out. */
export function partsOfAttribution(html: string): AttributionPart[] {
  const parts: AttributionPart[] = [];
  const add = (text: string, href?: string) => {
    if (text.trim()) parts.push(href ? { text: text.trim(), href } : { text });
  };
  let end = 0;
  let link: string | undefined;
  for (const { 0: tag, index } of html.matchAll(TAG_OF_LINK)) {
    add(textOf(html.slice(end, index)), link);
    const [, double, single, bare] = HREF.exec(tag) ?? [];
    const href = decode(double ?? single ?? bare ?? '');
    link = /^https?:\/\//i.test(href) && URL.canParse(href) ? href : undefined;
    end = index + tag.length;
  }
  add(textOf(html.slice(end)));
  return parts;
}
