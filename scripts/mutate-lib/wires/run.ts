import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../workspace.ts";
import { isEndToEnd, type Wire, WIRES } from "./index.ts";

/** Timeout of a test run; a hanging run counts as noticed. */
const TIMEOUT_MS = 180_000;

/**
 * Applies each wire alone, and runs its tests. A wire is not tried if a test of it fails without a broken wire.
 *
 * @param paths - files and folders whose wires are tried; empty: all
 * @returns an exit code: 1 if no test notices a wire, or if a wire was not tried
 */
export async function tryWires(
  root: string,
  workspace: Workspace,
  paths: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const wires = wiresOf(paths);
  if (wires.length === 0) {
    print(`mutate: no wire in ${paths.join(", ")}`);
    return 1;
  }
  if (!(await workspace.build())) {
    print("mutate: the build fails without a broken wire");
    return 1;
  }
  const failing = await failingTests(wires, workspace, print);
  const unnoticed: string[] = [];
  let untried = 0;
  for (const [index, wire] of wires.entries()) {
    const line = `${wire.file}: ${wire.fault}`;
    if (wire.tests.some((path) => failing.has(path))) {
      untried++;
      print(`${index + 1}. NOT TRIED ${line}`);
      continue;
    }
    const ending = await tried(root, workspace, wire);
    const verdict = ending === "passed" ? "UNNOTICED" : "noticed";
    const how = isEndToEnd(wire) ? " end to end" : ending === "late" ? " late" : "";
    print(`${index + 1}. ${verdict}${how} ${line}`);
    if (ending === "passed") unnoticed.push(line);
  }
  const noticed = wires.length - unnoticed.length - untried;
  print(`${noticed} noticed, ${unnoticed.length} unnoticed, ${untried} not tried`);
  for (const line of unnoticed) print(`unnoticed: ${line}`);
  return noticed === wires.length ? 0 : 1;
}

/** Wires of files that are one of `paths` or below one; all without paths. */
function wiresOf(paths: readonly string[]): readonly Wire[] {
  if (paths.length === 0) return WIRES;
  return WIRES.filter(({ file }) =>
    paths.some((path) => file === path || file.startsWith(`${path}/`)),
  );
}

/** Tests of wires that fail while no wire is broken. */
async function failingTests(
  wires: readonly Wire[],
  workspace: Workspace,
  print: (line: string) => void,
): Promise<ReadonlySet<string>> {
  const failing = new Set<string>();
  for (const path of new Set(wires.flatMap((wire) => wire.tests))) {
    if ((await workspace.test([path], TIMEOUT_MS)) === "passed") continue;
    print(`mutate: ${path} fails without a broken wire`);
    failing.add(path);
  }
  return failing;
}

/** Result of a wire's tests while it is broken. */
async function tried(root: string, workspace: Workspace, wire: Wire) {
  const { file, text, broken: replacement, tests } = wire;
  const source = readFileSync(join(root, file), "utf8");
  const start = source.indexOf(text);
  const mend = workspace.apply({ file, source, start, end: start + text.length, replacement });
  try {
    if (isEndToEnd(wire) && !(await workspace.build())) return "failed";
    return await workspace.test(tests, TIMEOUT_MS);
  } finally {
    mend();
  }
}
