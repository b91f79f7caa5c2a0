import type { Var } from "../../casm/builder-state.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, forked, simpleOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellPair, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf, u256Type } from "../shared/types.ts";
import { requireCommonDivisor } from "./common-divisor.ts";
import { guarantee, type Halves } from "./division.ts";
import { requireInverse } from "./inverse.ts";

/**
 * Inverts an integer modulo another. Returns the inverse with guarantees of the eight products that prove it;
 * branches with the guarantees of two products that prove that no inverse exists.
 */
export function invModN(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  noArguments(args);
  const u256 = u256Type(context);
  const nonZero = nonZeroOf(context, u256);
  const rangeCheck = context.find("RangeCheck");
  const pointer = builtinOutput(rangeCheck);
  const product = simpleOutput(context.find("U128MulGuarantee"));
  const products = Array.from({ length: 8 }, () => product);
  const inverse = [pointer, simpleOutput(nonZero), ...products];
  return {
    signature: forked(
      [rangeCheck, u256, nonZero],
      { variables: inverse, apChange: "other" },
      { variables: [pointer, product, product], apChange: "other" },
    ),
    ...steady({ ap: 46, steps: 40, rangeChecks: 9 }, { ap: 14, steps: 25, rangeChecks: 7 }),
    build: buildInvModN,
  };
}

function buildInvModN(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 6);
  const { b, rangeCheck, start } = code;
  const [b0, b1] = cellPair(b, invocation, 1);
  const [n0, n1] = cellPair(b, invocation, 2);
  const g0_or_no_inv = b.tempvar();
  const g1_option = b.tempvar();
  const s_or_r0 = b.tempvar();
  const s_or_r1 = b.tempvar();
  const t_or_k0 = b.tempvar();
  const t_or_k1 = b.tempvar();
  b.hint(
    "U256InvModN",
    { b0, b1, n0, n1 },
    { g0_or_no_inv, g1_option, s_or_r0, s_or_r1, t_or_k0, t_or_k1 },
  );
  b.jumpNz(g0_or_no_inv, "NoInverse");
  const value: Halves = [b0, b1];
  const modulus: Halves = [n0, n1];
  const second: Halves = [s_or_r0, s_or_r1];
  const third: Halves = [t_or_k0, t_or_k1];
  const proof = requireInverse(code, value, modulus, second, third).map(guarantee);
  b.jump("Done");
  b.label("NoInverse");
  const divisor: Halves = [g0_or_no_inv, g1_option];
  const disproof = requireCommonDivisor(code, value, modulus, divisor, second, third);
  b.jump("Failure");
  b.label("Done");
  const failure: (readonly Var[])[] = [[rangeCheck], ...disproof.map(guarantee)];
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], second, ...proof] },
      { label: "Failure", outputs: failure, target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
