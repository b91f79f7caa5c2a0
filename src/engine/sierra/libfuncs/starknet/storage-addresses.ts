import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefOrImmediateInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, straight, tempOutput } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { constantOf } from "../shared/constant.ts";
import { reinterpretationOf } from "../shared/identity.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecksBetween } from "../shared/range-checks.ts";
import { FREE, steady } from "../shared/steady.ts";
import { wideTryFromFelt252 } from "../shared/try-from-felt252.ts";
import { proveUnderLimit, proveUnderLimitThenDone } from "../shared/under-limit.ts";

/** Bits of storage addresses. */
const ADDRESS_BITS = 251n;

/** Exclusive bound of base addresses: with a one-byte offset they still are addresses. */
const BASE_ADDRESS_BOUND = (1n << ADDRESS_BITS) - 256n;

const fromBaseAndOffset: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: straight(
      [context.find("StorageBaseAddress"), context.find("u8")],
      [deferredOutput(context.find("StorageAddress"))],
      "new_vars_only",
    ),
    ...FREE,
    build: buildFromBaseAndOffset,
  };
};

function buildFromBaseAndOffset(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const base = cellArgument(b, invocation, 0);
  const offset = derefOrImmediateInput(b, invocation.args[1]?.[0]);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[b.sum(base, offset)]] }]);
}

/** Reduces a felt modulo the bound of base addresses. */
const baseFromFelt252: Specialize = (context, args) => {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  return {
    signature: straight(
      [rangeCheck, context.find("felt252")],
      [builtinOutput(rangeCheck), tempOutput(context.find("StorageBaseAddress"), 0)],
      "other",
    ),
    ...steady({ ap: 7, steps: 10, rangeChecks: 3 }),
    build: buildBaseFromFelt252,
  };
};

/**
 * Allocates all cells first, so that both paths agree on `ap`. The result is last: at the top of the stack.
 */
function buildBaseFromFelt252(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 2);
  const value = cellArgument(b, invocation, 1);
  const cells = [b.tempvar(), b.tempvar(), b.tempvar(), b.tempvar()] as const;
  const lastCell = b.tempvar();
  const bound = b.constant(BASE_ADDRESS_BOUND);
  const isSmall = b.tempvar();
  const result = b.tempvar();
  b.hint("TestLessThan", { lhs: value, rhs: bound }, { dst: isSmall });
  b.jumpNz(isSmall, "IsSmall");
  b.assertEq(result, b.difference(value, bound));
  proveUnderLimit(b, FIELD_PRIME - BASE_ADDRESS_BOUND, result, rangeCheck, cells);
  b.jump("Done");
  b.label("IsSmall");
  b.assertEq(result, value);
  proveUnderLimitThenDone(b, BASE_ADDRESS_BOUND, result, rangeCheck, [...cells, lastCell]);
  b.label("Done");
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck], [result]] }],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Libfuncs of storage addresses. */
export const STORAGE_ADDRESS_LIBFUNCS: LibfuncFamily = {
  storage_base_address_const: constantOf("StorageBaseAddress", {
    lower: 0n,
    upper: BASE_ADDRESS_BOUND,
  }),
  storage_base_address_from_felt252: baseFromFelt252,
  storage_address_from_base: reinterpretationOf("StorageBaseAddress", "StorageAddress"),
  storage_address_from_base_and_offset: fromBaseAndOffset,
  storage_address_to_felt252: reinterpretationOf("StorageAddress", "felt252"),
  storage_address_try_from_felt252: wideTryFromFelt252("StorageAddress", ADDRESS_BITS),
};
