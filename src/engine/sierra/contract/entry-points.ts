import { starknetKeccak } from "#protocol/crypto/index.ts";
import type { EntryPointType, SierraClass, SierraEntryPoint } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { CompileError } from "../compile-error.ts";

/** Order in which entry points are checked. */
const TYPES = ["CONSTRUCTOR", "EXTERNAL", "L1_HANDLER"] as const satisfies EntryPointType[];

/** A function may serve two entry points. */
const MAX_USES = 2;

/**
 * Checks a class's entry point lists: at most one constructor, with the right selector; selectors in
 * ascending order; no function used more than twice.
 *
 * @throws {CompileError} SIERRA_ENTRY_POINT for the first violation
 */
export function checkEntryPointLists({ entryPoints }: Pick<SierraClass, "entryPoints">): void {
  const [constructor, second] = entryPoints.CONSTRUCTOR;
  if (second !== undefined) refuse("a class has at most one constructor");
  if (constructor !== undefined && constructor.selector !== starknetKeccak("constructor")) {
    refuse(`the constructor has the selector ${hexFromFelt(constructor.selector)}`);
  }
  for (const type of TYPES) checkOrder(type, entryPoints[type]);
  const uses = new Map<number, number>();
  for (const { functionIdx } of TYPES.flatMap((type) => entryPoints[type])) {
    const count = (uses.get(functionIdx) ?? 0) + 1;
    uses.set(functionIdx, count);
    if (count > MAX_USES) refuse(`function ${functionIdx} serves more than two entry points`);
  }
}

function checkOrder(type: EntryPointType, list: readonly SierraEntryPoint[]): void {
  for (const [i, { selector }] of list.entries()) {
    const before = list[i - 1];
    if (before === undefined || before.selector < selector) continue;
    const what = before.selector === selector ? "stands twice" : "is not in ascending order";
    refuse(`${type} entry point ${i}: selector ${hexFromFelt(selector)} ${what}`);
  }
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_ENTRY_POINT", message);
}
