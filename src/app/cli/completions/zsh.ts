import { grouped } from "./grouped.ts";
import { commandPaths, namesOf, type Place, valuedFlags } from "./place.ts";
import { valueGroups } from "./value-groups.ts";

/** Writes the completion of zsh, to be sourced, or stored as `_appchain` in a folder of `fpath`. */
export function zshCompletion(places: readonly Place[]): string {
  const bodies = grouped(places, ({ path }) => path, bodyOf);
  const cases = bodies.map(
    ([body, paths]) => `    (${paths.map((path) => `"${path}"`).join("|")})\n${body}\n      ;;`,
  );
  return `#compdef appchain appchain-devnet
# Completion of appchain for zsh. Load it with: source <(appchain completions zsh)

_appchain() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" command="" paths="" i
  local -a flags values
  [[ "\${words[1]:t}" == appchain-devnet ]] && command="devnet"
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    compset -P '*='
    current=""
  fi
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      (${valuedFlags(places).join("|")}) [[ -n "$command" ]] || i=$((i + 1)) ;;
      (-*) ;;
      (*)
        case "\${command:+$command }\${words[i]}" in
          (${commandPaths(places)
            .map((path) => `"${path}"`)
            .join("|")})
            command="\${command:+$command }\${words[i]}"
            ;;
        esac
        ;;
    esac
  done
  case "$command" in
${cases.join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    _describe -o option flags
  elif (( \${#values} > 0 )); then
    _describe word values
  elif [[ -n "$paths" ]]; then
    _files \${=paths#file}
  fi
}

if [[ "\${funcstack[1]}" == _appchain ]]; then
  _appchain "$@"
else
  compdef _appchain appchain appchain-devnet
fi
`;
}

/** Assignments of a place, after its values of options. */
function bodyOf({ options, words, paths }: Place): string {
  const values = valueGroups(options).map(({ names, value }) => {
    const pattern = `(${names.join("|")})`;
    if (value.kind === "words") return `${pattern} compadd -- ${value.words.join(" ")}; return ;;`;
    if (value.kind === "none") return `${pattern} return ;;`;
    return `${pattern} _files${value.kind === "directory" ? " -/" : ""}; return ;;`;
  });
  const flags = options.flatMap((option) =>
    namesOf(option).map((name) => entry(name, option.text)),
  );
  const lines = [
    ...(values.length === 0
      ? []
      : ['case "$previous" in', ...values.map((line) => `  ${line}`), "esac"]),
    "flags=(",
    ...flags,
    ")",
    ...(words.length === 0
      ? []
      : ["values=(", ...words.map(({ word, text }) => entry(word, text)), ")"]),
    ...(paths === undefined ? [] : [`paths="${paths === "directory" ? "-/" : "file"}"`]),
  ];
  return lines.map((line) => `      ${line}`).join("\n");
}

/** A word with its description, as \`_describe\` takes it. */
function entry(word: string, text: string): string {
  return text === "" ? `  '${word}'` : `  '${word}:${text}'`;
}
