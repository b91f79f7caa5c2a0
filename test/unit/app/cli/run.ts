import { main, processContext } from "#app/cli/index.ts";
import type { NodeOptions } from "#app/node/index.ts";

/** Result of a program run; `started` contains the options of the nodes it would start. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly started: readonly NodeOptions[];
}

/** Runs the program with an environment and chunks of standard input, without starting nodes. */
export async function run(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  exitCode = 0,
  input: readonly string[] = [],
): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const started: NodeOptions[] = [];
  const code = await main(argv, {
    ...processContext(new AbortController().signal),
    environment,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    terminal: { write: () => undefined },
    input: () => new Blob([...input]).stream(),
    startNode: (options) => {
      started.push(options);
      return Promise.resolve({ closed: Promise.resolve(exitCode) });
    },
  });
  return { code, out: out.join("\n"), err: err.join("\n"), started };
}

/** Options of the node that a command line starts. */
export async function startedWith(argv: readonly string[], environment = {}): Promise<NodeOptions> {
  const { started, err } = await run(argv, environment);
  const [options] = started;
  if (options === undefined) throw new TypeError(err);
  return options;
}
