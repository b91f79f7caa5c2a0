import { VALUE_CELLS } from "../../libfunc/circuit-info.ts";
import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { bufferInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { cellArgument } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { GATE_CELLS, MOD_INSTANCE_CELLS } from "./layout.ts";
import { gateCountOf, writeModInstance } from "./mod-instance.ts";
import { namedCells } from "./named-cells.ts";
import { rangeChecks96Between } from "./range-checks-96.ts";
import { lessThanGuarantee, unitInteger } from "./types.ts";

/**
 * Proves that the circuit failed at the declared gate: the value to be inverted has no inverse. The witness
 * is a non-zero number below the modulus whose product with the value is zero.
 */
export const circuitFailureGuaranteeVerify: Specialize = (context, args) => {
  noArguments(args);
  const rangeCheck96 = context.find("RangeCheck96");
  const mulMod = context.find("MulMod");
  return {
    signature: straight(
      [
        rangeCheck96,
        mulMod,
        context.find("CircuitFailureGuarantee"),
        unitInteger(context, 0n),
        unitInteger(context, 1n),
      ],
      [
        builtinOutput(rangeCheck96),
        builtinOutput(mulMod),
        simpleOutput(lessThanGuarantee(context, VALUE_CELLS)),
      ],
      "other",
    ),
    ...steady({ ap: 12, steps: 32, rangeChecks96: VALUE_CELLS + 2 }),
    build: buildVerify,
  };
};

/** Cells of the guarantee, in order. */
const GUARANTEE_CELLS = [
  "gates",
  "gateCount",
  "failedGate",
  "values",
  "modulus0",
  "modulus1",
  "modulus2",
  "modulus3",
] as const;

function buildVerify(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  // Must be a cell, because a cell is subtracted from it.
  const rangeCheck96 = cellArgument(b, invocation, 0);
  const mulMod = bufferInput(b, invocation.args[1]?.[0], MOD_INSTANCE_CELLS);
  const guarantee = namedCells(b, invocation.args[2], GUARANTEE_CELLS);
  const { gates, gateCount, failedGate, values } = guarantee;
  const { modulus0, modulus1, modulus2, modulus3 } = guarantee;
  const modulus = [modulus0, modulus1, modulus2, modulus3] as const;
  const zero = cellArgument(b, invocation, 3);
  const one = cellArgument(b, invocation, 4);
  const start = b.copy(rangeCheck96);

  const gateOffset = b.tempvar(b.product(failedGate, b.constant(GATE_CELLS)));
  const gate = b.tempvar(b.sum(gates, gateOffset));
  // Only inverse gates have the constant one, the first value, as their result.
  b.assertEq(zero, b.at(gate, 2));
  const inputOffset = b.tempvar(b.at(gate, 1));
  const witnessOffset = b.tempvar(b.at(gate, 0));
  const zeroOffset = b.tempvar(b.difference(rangeCheck96, values));
  for (let limb = 0; limb < VALUE_CELLS; limb++) b.assertEq(zero, b.next(rangeCheck96));
  // Verifies a circuit of one gate: witness * value = 0.
  const offsets = b.tempvar();
  b.hint("AllocSegment", {}, { dst: offsets });
  b.assertEq(witnessOffset, b.at(offsets, 0));
  b.assertEq(inputOffset, b.at(offsets, 1));
  b.assertEq(zeroOffset, b.at(offsets, 2));
  // The gate must be one of the circuit's.
  b.assertEq(failedGate, b.next(rangeCheck96));
  const gatesAfter = b.tempvar(b.difference(gateCount, failedGate));
  b.assertEq(gatesAfter, b.next(rangeCheck96));
  writeModInstance(b, mulMod, { modulus, values, offsets });
  b.assertEq(one, gateCountOf(b, mulMod));
  const witness = readWitness(b, b.tempvar(b.sum(values, witnessOffset)));
  for (const limb of witness) b.jumpNz(limb, "Done");
  b.assertNever(one, zero);
  b.label("Done");
  const mulModAfter = b.sum(mulMod, b.constant(MOD_INSTANCE_CELLS));
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck96], [mulModAfter], [...witness, ...modulus]] }],
    rangeChecks96Between(start, rangeCheck96),
  );
}

function readWitness(b: CasmBuilder, pointer: Var): Var[] {
  return Array.from({ length: VALUE_CELLS }, (_, limb) => b.tempvar(b.at(pointer, limb)));
}
