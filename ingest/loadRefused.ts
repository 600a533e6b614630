/** A load that was refused or given up; nothing that is served has changed. */
export class LoadRefused extends Error {
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.name = 'LoadRefused';
    this.problems = problems;
  }
}
