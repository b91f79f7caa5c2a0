/** What the command line asks for. */
export type MutateArguments = DrawnMutants | { readonly kind: "wires" };

/** Mutants that are drawn. */
export interface DrawnMutants {
  readonly kind: "drawn";
  /** How many mutants are tried. */
  readonly count: number;
  readonly seed: number;
  /** Files and folders below the root. */
  readonly paths: readonly string[];
}

/** Where mutants are drawn from when nothing is said: what no type checks and no fixture proves. */
const DEFAULT_PATHS = ["src/services", "src/app/node"];

/** Reads `--wires` or `[N] [--seed S] [path...]`. @returns `undefined` when that is not what it is */
export function parseMutateArguments(args: readonly string[]): MutateArguments | undefined {
  if (args.length === 1 && args[0] === "--wires") return { kind: "wires" };
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
