/** completion: what a shell needs to complete commands, options and filters. */
import { Argument, type Command } from 'commander';
import { FILTER_NAMES } from '../client/index.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Place {
  /** commands that lead there: 'alerts list' */
  path: string;
  words: string[];
}

/** Every command with the words that can follow it. */
function placesOf(command: Command, trail: readonly string[] = []): Place[] {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const takesFilters = command.registeredArguments.some((argument) => argument.name() === 'filters');
  const words = [...command.commands.map((one) => one.name()), ...options, ...(takesFilters ? FILTER_NAMES.map((name) => `${name}=`) : [])];
  return [{ path: trail.join(' '), words }, ...command.commands.flatMap((one) => placesOf(one, [...trail, one.name()]))];
}

const bash = (places: readonly Place[]) => `_landuse() {
  local path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case " ${places
      .flatMap(({ path }) => (path ? [path] : []))
      .map((path) => path.replaceAll(' ', '/'))
      .join(' ')} " in
      *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;;
    esac
  done
  case "$path" in
${places.map(({ path, words }) => `    "${path.replaceAll(' ', '/')}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _landuse landuse
`;

const fish = (places: readonly Place[]) =>
  places
    .map(({ path, words }) => {
      const where = path ? `__fish_seen_subcommand_from ${path.split(' ').at(-1)}` : '__fish_use_subcommand';
      return `complete -c landuse -n '${where}' -a '${words.join(' ')}'`;
    })
    .join('\n');

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('a script that completes commands and filters: eval "$(landuse completion bash)"')
    .addArgument(new Argument('<shell>').choices([...SHELLS]))
    .action((shell: (typeof SHELLS)[number]) => {
      const places = placesOf(program);
      const script = { bash, zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash(places)}`, fish }[shell](places);
      process.stdout.write(`${script}\n`);
    });
}
