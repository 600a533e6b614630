/** The `landuse` command of each operation. A test compares them with the help of the command. */
import lines from './commandLines.json' with { type: 'json' };

export const COMMAND_LINES: Readonly<Record<string, string>> = lines;
