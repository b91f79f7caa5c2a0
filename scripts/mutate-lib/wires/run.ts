import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../workspace.ts";
import { isEndToEnd, type Wire, WIRES } from "./index.ts";

/** Timeout of a test run; a hanging run counts as noticed. */
const TIMEOUT_MS = 180_000;

/**
 * Applies each wire alone, and runs its tests.
 *
 * @returns an exit code: 1 if no test notices a wire, or if a test fails without a broken wire
 */
export async function tryWires(
  root: string,
  workspace: Workspace,
  print: (line: string) => void,
): Promise<number> {
  if (!(await workspace.build())) {
    print("mutate: the build fails without a broken wire");
    return 1;
  }
  for (const path of new Set(WIRES.flatMap((wire) => wire.tests))) {
    if ((await workspace.test([path], TIMEOUT_MS)) === "passed") continue;
    print(`mutate: ${path} fails without a broken wire`);
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
