import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { ACCESS_CELLS } from "./layout.ts";
import type { SquashKeyArguments } from "./key-state.ts";
import type { SquashSteps } from "./squash-steps.ts";

/** Arguments of the function that squashes a list of accesses. */
export interface SquashDictArguments {
  readonly rangeCheck: Var;
  readonly accessesStart: Var;
  readonly accessesEnd: Var;
}

/**
 * Emits the function `SquashDict`. It returns the range check pointer, and the end and the start of a list
 * with one entry per key.
 *
 * @returns arguments of the function that squashes the keys one after another
 */
export function squashDictFunction(
  b: CasmBuilder,
  steps: SquashSteps,
  { rangeCheck, accessesStart, accessesEnd }: SquashDictArguments,
): SquashKeyArguments {
  b.label("SquashDict");
  const one = b.constant(1);
  const length = b.localvar(b.difference(accessesEnd, accessesStart));
  const firstKey = b.localvar();
  const bigKeys = b.localvar();
  const squashedStart = b.localvar();
  b.addAp(3);
  b.hint("AllocSegment", {}, { dst: squashedStart });
  b.jumpNz(length, "SquashDictNotEmpty");
  b.tempvar(rangeCheck);
  b.tempvar(squashedStart);
  b.tempvar(squashedStart);
  // Without accesses there are fewer steps, which are not charged separately.
  b.ret();

  b.label("SquashDictNotEmpty");
  const accessCount = b.tempvar(b.quotient(length, b.constant(ACCESS_CELLS)));
  b.hint(
    "InitSquashData",
    { dict_accesses: accessesStart, ptr_diff: length, n_accesses: accessCount },
    { big_keys: bigKeys, first_key: firstKey },
  );
  const nextCheck = b.copy(rangeCheck);
  const keyRangeCheck = b.tempvar();
  const kept = [
    keyRangeCheck,
    accessesStart,
    accessesEnd,
    squashedStart,
    one,
    firstKey,
    accessCount,
    bigKeys,
  ].map((variable) => [variable, variable] as const);
  b.jumpNz(bigKeys, "SquashDictBigKeys");
  b.assertEq(firstKey, b.next(nextCheck));
  b.assertEq(keyRangeCheck, nextCheck);
  b.rescope(kept);
  b.jump("SquashDictKeys");
  b.label("SquashDictBigKeys");
  b.assertEq(keyRangeCheck, nextCheck);
  b.rescope(kept);
  b.label("SquashDictKeys");
  const keyArguments = {
    rangeCheck: keyRangeCheck,
    accessesStart: b.tempvar(accessesStart),
    lastAccessEnd: b.tempvar(b.difference(accessesEnd, one)),
    key: b.tempvar(firstKey),
    remainingAccesses: b.tempvar(accessCount),
    squashedEnd: b.tempvar(squashedStart),
    bigKeys: b.tempvar(bigKeys),
  };
  // Its results stay in place, below the last result of this function.
  b.call("SquashKey", 2);
  b.tempvar(squashedStart);
  b.ret();
  steps.countFixed();
  return keyArguments;
}
