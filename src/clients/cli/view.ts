/** A project as text for people: what and where, status, size, parties; without empty values. Pure. */
import { printable } from '../../terminal/printable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields by subject, in the order of reading; a field with a label is shown by it. */
const SUBJECTS: readonly { title: string; fields: readonly string[] }[] = [
  { title: 'Status', fields: ['statusLabel', 'statusSummary', 'meetingDate', 'decisionBodyLabel', 'decisionTypeLabel', 'lastUpdated'] },
  {
    title: 'Project',
    fields: [
      'propertyTypeLabel',
      'propertySubtypeLabel',
      'assetClassLabel',
      'requestTypeLabel',
      'constructionTypeLabel',
      'projectSizeLabel',
    ],
  },
  {
    title: 'Size',
    fields: [
      ...['totalUnitCount', 'acreage', 'lotSizeSqft', 'squareFootage', 'buildingStories', 'floorCount', 'buildingHeightFeet'],
      ...['bedroomCount', 'parkingSpaces', 'lotCount'],
    ],
  },
  {
    title: 'Site',
    fields: ['parcelNumbers', 'existingZoning', 'proposedZoning', 'inOpportunityZone', 'inFemaFloodZone', 'latitude', 'longitude'],
  },
];
/** Fields that are shown elsewhere in the view, or only useful to programs. */
const ELSEWHERE = new Set([
  ...['projectName', 'address', 'city', 'county', 'state', 'zipCode', 'summary', 'parties', 'serviceLink', 'sourceDocumentUrl'],
  ...['contentRevision', 'stateId', 'countyId', 'cityId', 'displayName', 'delivery', 'classifications', 'contactSummary'],
  ...['id', 'recordType', 'landUses', 'companyEnrichment', 'contacts', 'mergedFrom'],
]);
const NAME_WIDTH = 22;
const INDENT = '  ';

const isStated = (value: unknown) => value !== null && value !== undefined && !(Array.isArray(value) && !value.length);

/** `totalUnitCount` → `total unit count`; a label is named like its field. */
const wordsOf = (name: string) =>
  name
    .replace(/Label$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase();

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Lines of at most `width` characters, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of printable(text).split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

function fieldLines(name: string, value: unknown, width: number): string[] {
  const [first = '', ...more] = wrapped(shown(value), width - NAME_WIDTH - INDENT.length);
  return [`${INDENT}${wordsOf(name).padEnd(NAME_WIDTH)}${first}`, ...more.map((line) => `${INDENT}${' '.repeat(NAME_WIDTH)}${line}`)];
}

function subjectLines(title: string, project: Fields, names: readonly string[], width: number): string[] {
  const stated = names.filter((name) => isStated(project[name]));
  return stated.length ? ['', title, ...stated.flatMap((name) => fieldLines(name, project[name], width))] : [];
}

/** @param width characters per line */
export function projectView(project: Fields, width: number): string {
  const place = [project.address, project.city, project.county && `${project.county} County`, project.state];
  const subjects = SUBJECTS.flatMap(({ title, fields }) => subjectLines(title, project, fields, width));
  const placed = new Set([...SUBJECTS.flatMap(({ fields }) => fields), ...ELSEWHERE]);
  const labelled = (name: string) => Object.hasOwn(project, `${name}Label`);
  const others = Object.keys(project).filter((name) => !placed.has(name) && !labelled(name));
  const parties = ((project.parties ?? []) as { name?: string | null; role?: string | null; roleLabel?: string | null }[]).map(
    ({ name, role, roleLabel }) => `${INDENT}${printable(`${name ?? '-'} (${roleLabel ?? role ?? 'role not stated'})`)}`,
  );
  return [
    `${printable(String(project.projectName ?? 'Without a name'))} (${project.id})`,
    printable(place.filter(isStated).join(', ')),
    ...(isStated(project.summary) ? ['', ...wrapped(String(project.summary), width)] : []),
    ...subjects,
    ...(parties.length ? ['', 'People and companies', ...parties] : []),
    ...subjectLines('Further', project, others, width),
    '',
    ...[project.serviceLink, project.sourceDocumentUrl].filter(isStated).map((link) => printable(String(link))),
  ].join('\n');
}
