import { grouped } from "./grouped.ts";
import { commandPaths, namesOf, type Place, valuedFlags } from "./place.ts";
import { valueGroups } from "./value-groups.ts";

/** Writes the completion of bash, 3.2 or newer. */
export function bashCompletion(places: readonly Place[]): string {
  const bodies = grouped(places, ({ path }) => path, bodyOf);
  const cases = bodies.map(
    ([body, paths]) => `    ${paths.map((path) => `"${path}"`).join("|")})\n${body}\n      ;;`,
  );
  return `# Completion of appchain for bash. Load it with: source <(appchain completions bash)

_appchain_words() {
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

_appchain_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$current"))
}

_appchain() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" flags="" words="" paths="" i
  COMPREPLY=()
  [[ "\${COMP_WORDS[0]##*/}" == appchain-devnet ]] && command="devnet"
  # Bash splits --option=value at the equals sign.
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$previous" == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      "=") i=$((i + 1)) ;;
      ${valuedFlags(places).join("|")})
        [[ -n "$command" || "\${COMP_WORDS[i+1]}" == "=" ]] || i=$((i + 1))
        ;;
      -*) ;;
      *)
        case "\${command:+$command }\${COMP_WORDS[i]}" in
          ${commandPaths(places)
            .map((path) => `"${path}"`)
            .join("|")})
            command="\${command:+$command }\${COMP_WORDS[i]}"
            ;;
        esac
        ;;
    esac
  done
  case "$command" in
${cases.join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    _appchain_words "$flags"
  elif [[ -n "$words" ]]; then
    _appchain_words "$words"
  elif [[ -n "$paths" ]]; then
    _appchain_paths "$paths"
  fi
}

complete -F _appchain appchain appchain-devnet
`;
}

/** Assignments of a place, after its values of options. */
function bodyOf({ options, words, paths }: Place): string {
  const values = valueGroups(options).map(({ names, value }) => {
    const pattern = names.join("|");
    if (value.kind === "words")
      return `${pattern}) _appchain_words "${value.words.join(" ")}"; return ;;`;
    if (value.kind === "none") return `${pattern}) return ;;`;
    return `${pattern}) _appchain_paths ${PATHS[value.kind]}; return ;;`;
  });
  const lines = [
    ...(values.length === 0
      ? []
      : ['case "$previous" in', ...values.map((line) => `  ${line}`), "esac"]),
    `flags="${options.flatMap(namesOf).join(" ")}"`,
    ...(words.length === 0 ? [] : [`words="${words.map(({ word }) => word).join(" ")}"`]),
    ...(paths === undefined ? [] : [`paths="${PATHS[paths]}"`]),
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}

/** Options of `compgen`. */
const PATHS = { file: "-f", directory: "-d" } as const;
