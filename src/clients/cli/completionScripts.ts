/** What each shell runs to complete a line: it asks `landuse __complete`, whose answer is a completion a line with its meaning behind a tab. */

/** Bash splits words at = and :, and puts the answer in place of the last part alone. */
const bash = `_landuse() {
  local -a words=()
  local i part value quote= joined=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    part="\${COMP_WORDS[i]}"
    if [[ -n "$joined" || "$part" == [=:]* ]] && ((\${#words[@]})); then words[-1]+="$part"; else words+=("$part"); fi
    if [[ "$part" == *[=:] ]]; then joined=1; else joined=; fi
  done
  ((\${#words[@]})) || words=("")
  part="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$part" == [=:] ]] && part=
  local head="\${words[-1]%"$part"}"
  case "\${words[-1]}" in [\\"\\']*) quote=1 words[-1]="\${words[-1]:1}" head= ;; *) words[-1]="\${words[-1]//\\\\/}" ;; esac
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    value="\${value#"$head"}"
    if [[ -z "$quote" ]]; then printf -v value %q "$value"; value="\${value//\\\\,/,}"; fi
    COMPREPLY+=("$value")
  done < <(landuse __complete -- "\${words[@]}" 2>/dev/null)
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _landuse landuse`;

const zsh = `_landuse() {
  local line value meaning typed=\${words[CURRENT]}
  typed=\${typed#[\\"\\']}
  local -a open=() whole=()
  for line in "\${(@f)$(landuse __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)typed}" 2>/dev/null)}"; do
    [[ -n "$line" ]] || continue
    value="\${line%%$'\\t'*}" meaning="\${line#*$'\\t'}"
    if [[ "$value" == *= ]]; then open+=("\${value//:/\\\\:}:$meaning"); else whole+=("\${value//:/\\\\:}:$meaning"); fi
  done
  if ((!$#open && !$#whole)); then _files; return; fi
  (($#open)) && _describe -t filters filter open -S '' -M 'm:{a-zA-Z}={A-Za-z}'
  (($#whole)) && _describe -t values value whole -M 'm:{a-zA-Z}={A-Za-z}'
  return 0
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _landuse landuse`;

/** @param fileOptions options behind which a file is typed */
const fish = (fileOptions: readonly string[]) => `function __landuse_complete
  set -l typed (commandline -opc)
  landuse __complete -- $typed[2..] (commandline -ct) 2>/dev/null
end
complete -c landuse -f -a '(__landuse_complete)'
${fileOptions.map((long) => `complete -c landuse -l ${long} -rF`).join('\n')}`;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const scriptFor = (shell: (typeof SHELLS)[number], fileOptions: readonly string[]): string =>
  ({ bash, zsh, fish: fish(fileOptions) })[shell];
