/** The smallest project line that is found without further filters on 2026-11-20. */
export const projectLine = (id: number, more: Record<string, unknown> = {}) => ({
  kind: 'project',
  id,
  projectName: `Project ${id}`,
  state: 'CO',
  county: 'Boulder County',
  meetingDate: '2026-10-01',
  propertyType: 'residential',
  ...more,
});
