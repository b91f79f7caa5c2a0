/** Parsed command line. */
export type MutateArguments = DrawnMutants | SelectedWires;

/** Selection of broken wires. */
export interface SelectedWires {
  readonly kind: "wires";
  /** Files and folders below the root; empty: all wires. */
  readonly paths: readonly string[];
}

/** Selection of random mutants. */
export interface DrawnMutants {
  readonly kind: "drawn";
  /** Number of mutants to try. */
  readonly count: number;
  readonly seed: number;
  /** Files and folders below the root. */
  readonly paths: readonly string[];
}

/** Default paths of mutants: code that neither types nor fixtures verify. */
const DEFAULT_PATHS = ["src/services", "src/app/node"];

/** Reads `--wires [path...]` or `[N] [--seed S] [path...]`. @returns `undefined` for anything else */
export function parseMutateArguments(args: readonly string[]): MutateArguments | undefined {
  if (args[0] === "--wires") {
    const paths = args.slice(1).map((path) => path.replace(/\/+$/, ""));
    return paths.some((path) => path.startsWith("-")) ? undefined : { kind: "wires", paths };
  }
  let [count, seed] = [20, 1];
  const paths: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--seed") {
      seed = Number(args[++i] ?? "none");
      if (!Number.isSafeInteger(seed) || seed < 0) return undefined;
    } else if (arg.startsWith("-")) return undefined;
    else if (i === 0 && /^\d+$/.test(arg)) count = Number(arg);
    else paths.push(arg.replace(/\/+$/, ""));
  }
  if (count === 0) return undefined;
  return { kind: "drawn", count, seed, paths: paths.length === 0 ? DEFAULT_PATHS : paths };
}
