/** Compares a file with what its header states. Pure. */
import type { GenerationHeader } from './parseLine.ts';

/** Lines read from a file. */
export interface LineCounts {
  /** project lines, bad ones included */
  projects: number;
  /** unreadable lines, of unknown kind */
  unreadable: number;
}

/**
 * What differs from the header, with what it states and what was found; a line that cannot be read may be a project.
 * @param sha256 of all after the header line, in hexadecimal, where the header states one
 */
export function findHeaderProblems(header: GenerationHeader, { projects, unreadable }: LineCounts, sha256: string | undefined): string[] {
  const problems: string[] = [];
  const { records } = header;
  if (records !== undefined && (projects > records || projects + unreadable < records))
    problems.push(
      `the header states ${records} records (project lines), found ${projects}${unreadable ? ` and ${unreadable} unreadable lines` : ''}`,
    );
  if (header.sha256 !== undefined && header.sha256.toLowerCase() !== sha256)
    problems.push(`the header states sha256 ${header.sha256.toLowerCase()} of all that follows it, found ${sha256}`);
  return problems;
}
