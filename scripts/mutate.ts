/**
 * Mutation testing: draws places of the code by a seed, breaks one at a time in a copy of the
 * repository, and runs the unit tests of its room. Mutations that break the types are skipped. With
 * `--wires` it breaks the places of a list instead, which connect parts of the program. Exits with 1 when
 * tests pass in spite of a mutation: they do not notice that the code is wrong.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DrawnMutants, parseMutateArguments } from "./mutate-lib/arguments.ts";
import { type Mutant, mutantsOf } from "./mutate-lib/draw.ts";
import { mutate } from "./mutate-lib/operators.ts";
import { tryWires } from "./mutate-lib/wires/run.ts";
import { createWorkspace, testFoldersOf, type Workspace } from "./mutate-lib/workspace.ts";
import { createRandom } from "#test/helpers/random.ts";

const ROOT = join(import.meta.dir, "..");

/** Maximum slowdown of a test run by a mutation; a hanging run counts as noticed. */
const TIMEOUT_FACTOR = 4;
const TIMEOUT_EXTRA_MS = 10_000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Diff of the lines that a mutation changes. */
function diffOf(mutant: Mutant): string {
  const { source } = mutant;
  const broken = mutate(source, mutant);
  const from = source.lastIndexOf("\n", mutant.start) + 1;
  const lines = (text: string, end: number, sign: string): string => {
    const to = text.indexOf("\n", end);
    return text
      .slice(from, to === -1 ? undefined : to)
      .split("\n")
      .map((line) => `  ${sign} ${line}`)
      .join("\n");
  };
  const brokenEnd = mutant.start + mutant.replacement.length;
  return `${lines(source, mutant.end, "-")}\n${lines(broken, brokenEnd, "+")}`;
}

/** Time of each room's unit tests without a mutation. */
async function baseline(
  workspace: Workspace,
  folders: readonly string[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const times = new Map<string, number>();
  for (const folder of folders) {
    const startedMs = performance.now();
    if ((await workspace.test([folder], 600_000)) !== "passed") {
      process.stderr.write(`mutate: the tests in ${folder} fail without a mutation\n`);
      return undefined;
    }
    times.set(folder, performance.now() - startedMs);
  }
  return times;
}

async function main(args: readonly string[]): Promise<number> {
  const selection = parseMutateArguments(args);
  if (selection === undefined) {
    process.stderr.write("usage: scripts/mutate [N] [--seed S] [path...] | --wires [path...]\n");
    return 2;
  }
  if (selection.kind === "drawn") return tryDrawn(selection);
  using workspace = createWorkspace(ROOT);
  // Awaited here, because `using` deletes the copy when this function returns.
  return await tryWires(ROOT, workspace, selection.paths, print);
}

async function tryDrawn(selection: DrawnMutants): Promise<number> {
  const missing = selection.paths.find((path) => !existsSync(join(ROOT, path)));
  if (missing !== undefined) {
    process.stderr.write(`mutate: ${missing}: no such file or folder below ${ROOT}\n`);
    return 1;
  }
  const mutants = createRandom(selection.seed).shuffled(mutantsOf(ROOT, selection.paths));
  print(`${mutants.length} places to break; seed ${selection.seed}`);
  using workspace = createWorkspace(ROOT);
  const folders = [...new Set(mutants.flatMap(({ file }) => testFoldersOf(ROOT, file)))].sort();
  const times = await baseline(workspace, folders);
  if (times === undefined) return 1;
  const survivors: Mutant[] = [];
  let tried = 0;
  for (const mutant of mutants) {
    if (tried === selection.count) break;
    const mend = workspace.apply(mutant);
    try {
      if (!(await workspace.typesHold())) continue;
      const tested = testFoldersOf(ROOT, mutant.file);
      const usualMs = tested.reduce((sum, folder) => sum + (times.get(folder) ?? 0), 0);
      const timeoutMs = usualMs * TIMEOUT_FACTOR + TIMEOUT_EXTRA_MS;
      const ending = await workspace.test(tested, timeoutMs);
      tried++;
      const verdict =
        ending === "passed" ? "SURVIVED" : ending === "late" ? "noticed (late)" : "noticed";
      print(
        `${tried}. ${verdict} ${mutant.file}:${mutant.line} (${mutant.operator})\n${diffOf(mutant)}`,
      );
      if (ending === "passed") survivors.push(mutant);
    } finally {
      mend();
    }
  }
  print(`${tried - survivors.length} noticed, ${survivors.length} survived`);
  for (const { file, line, operator } of survivors)
    print(`survived: ${file}:${line} (${operator})`);
  return survivors.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
