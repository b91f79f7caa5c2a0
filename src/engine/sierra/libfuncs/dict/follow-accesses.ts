import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import type { FollowedAccess, KeyState } from "./key-state.ts";
import { ACCESS_CELLS } from "./layout.ts";
import type { SquashSteps } from "./squash-steps.ts";

/**
 * Emits the code that follows the accesses to one key. Each must find the value that the previous
 * one left; the first one finds zero. Hints supply the number of accesses. A wrong number is
 * detected at the end, when their sum differs from the total number of accesses.
 *
 * @returns variables of the last access
 */
export function followAccesses(
  b: CasmBuilder,
  steps: SquashSteps,
  state: KeyState,
): FollowedAccess {
  const { followed, skipsLoop } = firstAccess(b, state);
  rescope(b, state, followed, followed, skipsLoop);
  steps.countPerKey();
  b.jumpNz(skipsLoop, "SquashKeySkipLoop");
  b.label("SquashKeyLoop");
  const { followed: further, continues } = furtherAccess(b, state, followed);
  rescope(b, state, followed, further, continues);
  steps.countPerRepeatedAccess();
  b.jumpNz(continues, "SquashKeyLoop");
  b.label("SquashKeySkipLoop");
  return followed;
}

/** Writes the key and the initial value to the entry. */
function firstAccess(b: CasmBuilder, { args, entry }: KeyState) {
  const { key } = args;
  b.hint("GetCurrentAccessIndex", { range_check_ptr: args.rangeCheck });
  const index = b.tempvar(b.at(args.rangeCheck));
  const offset = b.tempvar(b.product(index, b.constant(ACCESS_CELLS)));
  const valueBefore = b.tempvar();
  const skipsLoop = b.tempvar();
  const access = b.tempvar(b.sum(args.accessesStart, offset));
  const value = b.tempvar(b.at(access, 2));
  const rangeCheck = b.tempvar(b.sum(args.rangeCheck, b.constant(1)));
  b.assertEq(key, b.at(access, 0));
  b.assertEq(key, b.at(entry, 0));
  b.assertEq(valueBefore, b.at(access, 1));
  b.assertEq(valueBefore, b.at(entry, 1));
  b.assertEq(valueBefore, b.constant(0));
  b.hint("ShouldSkipSquashLoop", {}, { should_skip_loop: skipsLoop });
  return { followed: { access, value, rangeCheck }, skipsLoop };
}

/**
 * Verifies that the next access to the key is later in the list and finds the value that the last one left.
 */
function furtherAccess(b: CasmBuilder, { args }: KeyState, last: FollowedAccess) {
  const one = b.constant(1);
  const distanceMinusOne = b.tempvar();
  const distance = b.tempvar();
  const offset = b.tempvar();
  const continues = b.tempvar();
  const access = b.tempvar();
  const value = b.tempvar();
  const rangeCheck = b.tempvar();
  b.hint("GetCurrentAccessDelta", {}, { index_delta_minus1: distanceMinusOne });
  b.assertEq(distanceMinusOne, b.at(last.rangeCheck));
  b.assertEq(distance, b.sum(distanceMinusOne, one));
  b.assertEq(offset, b.product(distance, b.constant(ACCESS_CELLS)));
  b.assertEq(access, b.sum(last.access, offset));
  b.assertEq(last.value, b.at(access, 1));
  b.assertEq(value, b.at(access, 2));
  b.assertEq(args.key, b.at(access, 0));
  b.assertEq(rangeCheck, b.sum(last.rangeCheck, one));
  b.hint("ShouldContinueSquashLoop", {}, { should_continue: continues });
  return { followed: { access, value, rangeCheck }, continues };
}

/** Keeps the variables of the state and of `followed`, and sets the latter to the values of `current`. */
function rescope(
  b: CasmBuilder,
  { args, entry, nextKey, remainingAfter }: KeyState,
  followed: FollowedAccess,
  current: FollowedAccess,
  condition: Var,
): void {
  const same = [...Object.values<Var>({ ...args }), entry, nextKey, remainingAfter, condition];
  b.rescope([
    ...same.map((variable) => [variable, variable] as const),
    [followed.access, current.access],
    [followed.value, current.value],
    [followed.rangeCheck, current.rangeCheck],
  ]);
}
