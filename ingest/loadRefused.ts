/** A load or a switch that was refused or given up; nothing that is served has changed. */
export class LoadRefused extends Error {
  /** what is wrong, one a line */
  readonly problems: readonly string[];
  /** the same for programs, in JSON values */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, problems: readonly string[] = [], details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'LoadRefused';
    this.problems = problems;
    this.details = details;
  }
}
