/**
 * The states in which ZIP codes lie, by their first three digits: as the ZIP Locale Detail of the Postal Service has its post offices, compared with
 * the 42,789 codes in version 3.0.0 of PyPI's `zipcodes`. Codes of the military are none of a state. Pure.
 */

/** First and last prefix of each state; some prefixes are shared. */
const RANGES = `AL 350-369; AK 995-999; AZ 850-865; AR 716-729; CA 900-961; CO 800-816; CT 060-069; DE 197-199; DC 200,202-205,569;
FL 320-339,341-349; GA 300-319,398-399; HI 967-968; ID 832-838; IL 600-629; IN 460-479; IA 500-528; KS 660-679; KY 400-427; LA 700-714; ME 039-049;
MD 205-219; MA 010-027,055; MI 480-499; MN 550-567; MS 386-397; MO 630-658; MT 590-599; NE 680-693; NV 889-898; NH 030-038; NJ 070-089;
NM 870-884; NY 005,063,100-149; NC 270-289; ND 580-588; OH 430-459; OK 730-732,734-749; OR 970-979; PA 150-196; RI 028-029; SC 290-299; SD 570-577;
TN 370-385; TX 733,739,750-799,885; UT 840-847; VT 050-054,056-059; VA 201,205,220-246; WA 980-994; WV 247-268; WI 530-549; WY 820-831,834;
PR 006-007,009; VI 008; AS 967; GU 969; MP 969`;

function readRanges(): Map<number, string[]> {
  const states = new Map<number, string[]>();
  for (const row of RANGES.split(/;\s*/)) {
    const [state = '', list = ''] = row.split(' ');
    for (const range of list.split(',')) {
      const [first = 0, last = first] = range.split('-').map(Number);
      for (let prefix = first; prefix <= last; prefix += 1) states.set(prefix, [...(states.get(prefix) ?? []), state]);
    }
  }
  return states;
}

const STATES = readRanges();

/** USPS abbreviations of the states of a ZIP code; undefined if its prefix is not known. */
export const findStatesOfZip = (zip: string | null | undefined): readonly string[] | undefined =>
  zip ? STATES.get(Number(zip.slice(0, 3))) : undefined;
