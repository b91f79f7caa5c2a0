import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { requireLess } from "./felt-order.ts";
import { followAccesses } from "./follow-accesses.ts";
import type { KeyState, SquashKeyArguments } from "./key-state.ts";
import { ACCESS_CELLS } from "./layout.ts";
import type { SquashSteps } from "./squash-steps.ts";

/**
 * Emits the function `SquashKey`. It follows all accesses to one key, writes its entry, and calls itself for
 * the next greater key. It returns the range check pointer and the end of the entries.
 */
export function squashKeyFunction(
  b: CasmBuilder,
  steps: SquashSteps,
  args: SquashKeyArguments,
): void {
  b.label("SquashKey");
  const nextKey = b.localvar();
  const remainingAfter = b.localvar();
  const state = { args, entry: b.copy(args.squashedEnd), nextKey, remainingAfter };
  const followed = followAccesses(b, steps, state);

  // Verifies that the last access is within the list.
  const accessesAfter = b.tempvar(b.difference(args.lastAccessEnd, followed.access));
  b.assertEq(accessesAfter, b.at(followed.rangeCheck));
  // Each access except the first used one range check.
  const accessCount = b.tempvar(b.difference(followed.rangeCheck, args.rangeCheck));
  b.assertEq(followed.value, b.at(state.entry, 2));
  const rangeCheck = b.sum(followed.rangeCheck, b.constant(1));
  b.assertEq(remainingAfter, b.difference(args.remainingAccesses, accessCount));
  steps.countPerKey();
  b.jumpNz(remainingAfter, "SquashKeyNext");
  b.tempvar(rangeCheck);
  b.tempvar(b.sum(args.squashedEnd, b.constant(ACCESS_CELLS)));
  b.ret();
  steps.countFixed();

  b.label("SquashKeyNext");
  callForNextKey(b, state, rangeCheck);
  steps.countPerKey();
}

function callForNextKey(b: CasmBuilder, state: KeyState, rangeCheck: Var): void {
  const { args, nextKey } = state;
  const kept = [args.squashedEnd, args.bigKeys].map((variable) => [variable, variable] as const);
  b.hint("GetNextDictKey", {}, { next_key: nextKey });
  b.jumpNz(args.bigKeys, "SquashKeyBigKeys");
  const keyPlusOne = b.tempvar(b.sum(args.key, b.constant(1)));
  const distance = b.tempvar(b.difference(nextKey, keyPlusOne));
  const nextCheck = b.copy(rangeCheck);
  b.assertEq(distance, b.next(nextCheck));
  pushArguments(b, state, nextCheck);
  b.rescope(kept);
  b.jump("SquashKeyCall");
  b.label("SquashKeyBigKeys");
  requireLess(b, rangeCheck, args.key, nextKey);
  pushArguments(b, state, rangeCheck);
  b.rescope(kept);
  b.label("SquashKeyCall");
  b.tempvar(b.sum(args.squashedEnd, b.constant(ACCESS_CELLS)));
  b.tempvar(args.bigKeys);
  b.call("SquashKey", 0);
  b.ret();
}

/** Pushes the arguments that differ between the two paths to the call, in order. */
function pushArguments(b: CasmBuilder, state: KeyState, rangeCheck: Var): void {
  const { args, nextKey, remainingAfter } = state;
  b.tempvar(rangeCheck);
  b.tempvar(args.accessesStart);
  b.tempvar(args.lastAccessEnd);
  b.tempvar(nextKey);
  b.tempvar(remainingAfter);
}
