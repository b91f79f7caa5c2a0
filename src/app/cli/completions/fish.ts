import { grouped } from "./grouped.ts";
import { commandPaths, type CompletedOption, type Place, valuedFlags } from "./place.ts";

/** Writes the completion of fish, 3.0 or newer. */
export function fishCompletion(places: readonly Place[]): string {
  const lines = places.flatMap((place) =>
    linesOf(place).map((line) => ({ line, path: place.path })),
  );
  const rules = grouped(
    lines,
    ({ path }) => path,
    ({ line }) => line,
  );
  const completions = rules.map(
    ([line, paths]) =>
      `complete -c appchain -n "__appchain_at ${paths.map((path) => `'${path}'`).join(" ")}" ${line}`,
  );
  return `# Completion of appchain for fish. Load it with: appchain completions fish | source

function __appchain_at
    set -l command
    set -l skip 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valuedFlags(places).join(" ")}
                test -z "$command"; and set skip 1
            case '-*'
            case '*'
                switch (string trim "$command $word")
                    case ${commandPaths(places)
                      .map((path) => `'${path}'`)
                      .join(" ")}
                        set command (string trim "$command $word")
                end
        end
    end
    contains -- "$command" $argv
end

complete -c appchain -f
complete -c appchain-devnet -w 'appchain devnet'
${completions.join("\n")}
`;
}

/** The completions of a place, without the condition for it. */
function linesOf({ options, words, paths }: Place): readonly string[] {
  return [
    ...words.map(({ word, text }) => `-a '${word}'${text === "" ? "" : ` -d '${text}'`}`),
    ...(paths === undefined ? [] : [PATHS[paths]]),
    ...options.map((option) => `${nameOf(option)}${valueOf(option)} -d '${option.text}'`),
  ];
}

function nameOf({ flag, short }: CompletedOption): string {
  return short === undefined ? `-l ${flag}` : `-s ${short} -l ${flag}`;
}

function valueOf({ value }: CompletedOption): string {
  if (value === undefined) return "";
  if (value.kind === "none") return " -x";
  if (value.kind === "words") return ` -x -a '${value.words.join(" ")}'`;
  return value.kind === "file" ? " -r -F" : ` -x ${PATHS.directory}`;
}

/** Arguments that are paths. */
const PATHS = { file: "-F", directory: "-a '(__fish_complete_directories)'" } as const;
