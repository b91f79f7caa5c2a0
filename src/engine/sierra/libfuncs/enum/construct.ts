import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import type { CellExpression } from "../../casm/cell-expression.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { immediate } from "../../casm/operand.ts";
import { CompileError } from "../../compile-error.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { variantSelector } from "../../types/variant-selector.ts";
import { reinterpretation } from "../shared/identity.ts";
import { FREE, steady } from "../shared/steady.ts";
import { unsupported, variantsOf } from "../shared/types.ts";

/** Creates an enum from the value of a variant. */
export const enumInit: Specialize = (context, args) => {
  const { type, index } = variantArguments(args);
  const variants = variantsOf(context.typeOf(type));
  const variant = variants[index];
  if (variant === undefined) return unsupported(`a variant below ${variants.length}`);
  const selector = variantSelector(variants.length, index);
  return {
    signature: straight([variant], [deferredOutput(type)], "new_vars_only"),
    ...FREE,
    build: (invocation) => buildInit(invocation, type, variant, selector),
  };
};

function variantArguments(args: readonly GenericArgument[]): {
  readonly type: number;
  readonly index: number;
} {
  const [type, index] = args;
  return args.length === 2 && type?.kind === "type" && index?.kind === "value"
    ? { type: type.type, index: Number(index.value) }
    : unsupported("an enum and an index");
}

/** Cells of the enum: selector, zeros up to the size of the enum, value. */
function buildInit(
  invocation: InvocationBuilder,
  type: number,
  variant: number,
  selector: number,
): CompiledInvocation {
  const { args, info } = invocation;
  const [value = []] = args;
  if (value.length !== info.sizeOf(variant)) {
    throw new CompileError("SIERRA_INVALID", "enum_init: the value is not of the variant's size");
  }
  const padding = info.sizeOf(type) - 1 - value.length;
  const zeros = Array.from({ length: padding }, (): CellExpression => immediate(0));
  return invocation.rename([[immediate(selector), ...zeros, ...value]]);
}

/** Creates an enum with only empty variants from a variant's index. */
export const enumFromBoundedInt: Specialize = (context, args) => {
  const type = typeArgument(args);
  const variants = variantsOf(context.typeOf(type));
  const count = variants.length;
  const isPlain = variants.every((variant) => isEmptyStruct(context, variant));
  if (count === 0 || !isPlain) return unsupported("an enum of empty variants");
  const index = context.find("BoundedInt", [
    { kind: "value", value: 0n },
    { kind: "value", value: BigInt(count - 1) },
  ]);
  if (count <= 2) return reinterpretation(index, type);
  return {
    signature: straight([index], [deferredOutput(type)], "other"),
    ...steady({ ap: 1, steps: 1 }),
    build: (invocation) => buildFromIndex(invocation, count),
  };
};

function isEmptyStruct(context: SpecializationContext, type: number): boolean {
  const { genericId, args } = context.typeOf(type);
  return genericId === "Struct" && args.length === 1;
}

/**
 * The selector of index `k` is `2 (count - k) - 1 = -2 (k - m)`, where `m` is `(2 count - 1) / 2`, a felt.
 */
function buildFromIndex(invocation: InvocationBuilder, count: number): CompiledInvocation {
  const [argument] = invocation.singles();
  const b = new CasmBuilder();
  const index = derefInput(b, argument);
  const middle = b.constant((BigInt(2 * count - 1) + FIELD_PRIME) / 2n);
  const fromMiddle = b.tempvar(b.difference(index, middle));
  const selector = b.product(fromMiddle, b.constant(-2));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[selector]] }]);
}
