import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../workspace.ts";
import { isEndToEnd, type Wire, WIRES } from "./index.ts";

/** A run of tests that takes longer hangs, which is noticed. */
const TIMEOUT_MS = 180_000;

/**
 * Applies each wire alone, and runs its tests.
 *
 * @returns an exit code: 1 when there is one that no test notices, or when a test fails as it is
 */
export async function tryWires(
  root: string,
  workspace: Workspace,
  print: (line: string) => void,
): Promise<number> {
  if (!(await workspace.build())) {
    print("mutate: the program is not built as it is");
    return 1;
  }
  for (const path of new Set(WIRES.flatMap((wire) => wire.tests))) {
    if ((await workspace.test([path], TIMEOUT_MS)) === "passed") continue;
    print(`mutate: ${path} fails as it is`);
    return 1;
  }
  const unnoticed: string[] = [];
  for (const [index, wire] of WIRES.entries()) {
    const ending = await tried(root, workspace, wire);
    const verdict = ending === "passed" ? "UNNOTICED" : "noticed";
    const how = isEndToEnd(wire) ? " end to end" : ending === "late" ? " late" : "";
    const line = `${wire.file}: ${wire.fault}`;
    print(`${index + 1}. ${verdict}${how} ${line}`);
    if (ending === "passed") unnoticed.push(line);
  }
  print(`${WIRES.length - unnoticed.length} noticed, ${unnoticed.length} unnoticed`);
  for (const line of unnoticed) print(`unnoticed: ${line}`);
  return unnoticed.length === 0 ? 0 : 1;
}

/** How the tests of a wire end while it is broken. */
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
