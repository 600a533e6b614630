/** The command `completion`, by which shells complete commands, options, filters and their values. */
import { Argument, type Command, type Option } from 'commander';
import { printable } from '../../terminal/printable.ts';
import { addCommand } from '../../terminal/program.ts';
import { FILTER_NAMES } from '../client/index.ts';
import { SHELLS, scriptFor } from './completionScripts.ts';
import { type Completion, CompletionValues } from './completionValues.ts';
import { settingsOf } from './settings.ts';

const COMPLETE = '__complete';

const optionsOf = (command: Command): Option[] => {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
};

/** The context of a completion, given by the words before it. */
interface Place {
  command: Command;
  /** arguments of the command so far */
  given: number;
  /** the option whose value is completed, if any */
  option: Option | undefined;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, given: 0, option: undefined };
  for (const word of words) {
    if (place.option) {
      place.option = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionsOf(place.command).find(({ short, long }) => word === short || word === long);
      if (option?.required) place.option = option;
      continue;
    }
    const below = place.command.commands.find((one) => one.name() === word);
    if (below && place.given === 0) place.command = below;
    else place.given += 1;
  }
  return place;
}

const plain = (values: readonly string[] = []): Completion[] => values.map((value) => ({ value, meaning: '' }));

/** Completions of an argument: subcommands, filters and their values, ids, or the argument's choices. */
async function argumentCompletions({ command, given }: Place, typed: string, values: () => CompletionValues): Promise<Completion[]> {
  const below = given ? [] : command.commands.filter((one) => one.name() !== COMPLETE);
  const commands = below.map((one) => ({ value: one.name(), meaning: one.description() }));
  const args = command.registeredArguments;
  const argument = args[given] ?? args.find((one) => one.variadic);
  if (argument?.name() === 'id') return values().idsOf(command.parent?.name() ?? '');
  if (argument?.name() !== 'filters') return [...commands, ...plain(argument?.argChoices)];
  const [, name, text] = /^(\w+)=(.*)$/s.exec(typed) ?? [];
  if (name === undefined || text === undefined) return [...commands, ...plain(FILTER_NAMES.map((one) => `${one}=`))];
  return (await values().filterValues(name, text)).map(({ value, meaning }) => ({ value: `${name}=${value}`, meaning }));
}

/** @param words after `landuse`; the last one may be incomplete */
async function completionsFor(program: Command, words: readonly string[], values: () => CompletionValues): Promise<Completion[]> {
  const typed = words.at(-1) ?? '';
  const place = placeAfter(program, words.slice(0, -1));
  const found = place.option
    ? plain(place.option.argChoices)
    : typed.startsWith('-')
      ? optionsOf(place.command).map(({ long, description }) => ({ value: long ?? '', meaning: description }))
      : await argumentCompletions(place, typed, values);
  return found.filter(({ value }) => value !== '' && value.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The URL that was typed with --url, since values depend on the service. */
function typedUrl(words: readonly string[]): { url?: string } {
  const url = words[words.indexOf('--url') + 1];
  return words.includes('--url') && url ? { url } : {};
}

export function addCompletionCommand(program: Command): void {
  addCommand(program, 'completion', 'a script that completes commands, filters and their values: eval "$(landuse completion bash)"')
    .addArgument(new Argument('<shell>').choices([...SHELLS]))
    .action((shell: (typeof SHELLS)[number]) => {
      const all = program.commands.flatMap((one) => [one, ...one.commands]).flatMap((one) => one.options);
      const fileOptions = all.flatMap(({ flags, long }) => (flags.includes('<file>') && long ? [long.slice(2)] : []));
      process.stdout.write(`${scriptFor(shell, [...new Set(fileOptions)])}\n`);
    });
  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      // The user has not run anything yet, so errors are not shown; there are just no completions.
      const found = await completionsFor(
        program,
        words,
        () => new CompletionValues(settingsOf(typedUrl(words), process.env), process.env),
      ).catch(() => []);
      process.stdout.write(found.map(({ value, meaning }) => `${printable(value)}\t${printable(meaning)}\n`).join(''));
    });
}
