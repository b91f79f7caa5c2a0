import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";

/**
 * Bytes that each round swaps, and the distance in bits: single bytes, pairs, then fours and eights. Every
 * round leaves the value shifted left by half that distance.
 */
const ROUNDS: readonly (readonly [mask: bigint, bits: bigint])[] = [
  [0x00ff00ff00ff00ff00ff00ff00ff00ffn, 16n],
  [0x00ffff0000ffff0000ffff0000ffff00n, 32n],
  [0x00ffffffff00000000ffffffff000000n, 64n],
  [0x00ffffffffffffffff00000000000000n, 128n],
];

/** Inverse of `2^120` in the field, as a negative number: the final value is shifted left by 120 bits. */
const SHIFT_BACK = -0x800000000000011000000000000000000n;

/** Reverses the bytes of a 128-bit integer. */
export function byteReverse(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const builtin = context.find("Bitwise");
  const u128 = context.find("u128");
  const outputs = [builtinOutput(builtin), deferredOutput(u128)];
  return {
    signature: straight([builtin, u128], outputs, "other"),
    apChanges: () => [known(16)],
    costs: () => [regularCost({ steps: 24 }, { Bitwise: 4 })],
    build: buildByteReverse,
  };
}

function buildByteReverse(invocation: InvocationBuilder): CompiledInvocation {
  const [builtin, input] = invocation.singles();
  const b = new CasmBuilder();
  let value = derefInput(b, input);
  const pointer = bufferInput(b, builtin, 20);
  for (const [mask, bits] of ROUNDS) value = swap(b, pointer, value, mask, bits);
  const result = b.product(value, b.constant(SHIFT_BACK));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[pointer], [result]] }]);
}

/** Shifts the bytes under a mask up by `bits`; the others stay. @returns the cell of the new value */
function swap(b: CasmBuilder, pointer: Var, value: Var, maskValue: bigint, bits: bigint): Var {
  b.assertEq(value, b.next(pointer));
  const mask = b.tempvar(b.constant(maskValue));
  b.assertEq(mask, b.next(pointer));
  const masked = b.tempvar(b.next(pointer));
  b.next(pointer);
  b.next(pointer);
  const moved = b.tempvar(b.product(masked, b.constant(2n ** bits - 1n)));
  return b.tempvar(b.sum(value, moved));
}
