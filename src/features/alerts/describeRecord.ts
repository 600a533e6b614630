/** Records in words, as mails and feeds name them. Pure. */

type Named = Partial<Record<'projectName' | 'city' | 'county' | 'state', string | null | undefined>>;

/** The title and place of a project in mails and feeds. */
export const describeHeading = (id: number, { projectName, city, county, state }: Named) => ({
  title: projectName ?? `Project ${id}`,
  place: [city ?? county, state].filter(Boolean).join(', '),
});

/** Names of changed fields as mails and feeds show them; nothing if none is known. */
export const describeChangedFields = (fields: readonly string[]): string[] =>
  fields.length ? [`Changed: ${fields.map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ')}`] : [];
