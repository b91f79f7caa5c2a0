import { expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import type { OriginReader } from "#engine/state/index.ts";
import { ForkedState } from "#engine/state/forked-state.ts";
import { ORIGIN_NOT_HERE, UnreachableOrigin } from "#io/origin/index.ts";
import { FORK_BLOCK } from "#test/helpers/origin-world.ts";

const origin: OriginReader = new UnreachableOrigin(FORK_BLOCK);

function codeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof OriginError ? error.code : undefined;
  }
}

test.each<readonly [string, () => unknown]>([
  ["block", () => origin.block(1)],
  ["stateDiff", () => origin.stateDiff(1)],
  ["numberByHash", () => origin.numberByHash(1n)],
  ["locate", () => origin.locate(1n)],
  ["declaredClass", () => origin.declaredClass(1n)],
  ["messagesOfL1Transaction", () => origin.messagesOfL1Transaction(1n)],
  ["storageAt", () => origin.stateAt(1).storageAt(1n, 2n)],
  ["nonceAt", () => origin.stateAt(1).nonceAt(1n)],
  ["classHashAt", () => origin.stateAt(1).classHashAt(1n)],
  ["compiledClassHashOf", () => origin.stateAt(1).compiledClassHashOf(1n)],
  ["executableClass", () => origin.stateAt(1).executableClass(1n)],
])("refuses %s, for a thread that may wait", (_, read) => {
  expect(codeOf(read)).toBe(ORIGIN_NOT_HERE);
});

test("lets a thread read what local blocks wrote", () => {
  const written = {
    storageAt: () => 5n,
    nonceAt: () => undefined,
    classHashAt: () => undefined,
    compiledClassHashOf: () => undefined,
    executableClass: () => undefined,
  };
  const state = new ForkedState(written, origin.stateAt(FORK_BLOCK));
  expect(state.storageAt(1n, 2n)).toBe(5n);
  expect(codeOf(() => state.nonceAt(1n))).toBe(ORIGIN_NOT_HERE);
});
