import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { type BranchCost, regularCost } from "../../libfunc/branch-cost.ts";
import { type CircuitInfo, VALUE_CELLS } from "../../libfunc/circuit-info.ts";
import { bufferInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { OutputVariable } from "../../libfunc/signature.ts";
import { builtinOutput, deferredOutput, forked, simpleOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, cellQuad } from "../shared/operands.ts";
import { wrapped } from "../shared/types.ts";
import { MOD_INSTANCE_CELLS } from "./layout.ts";
import { gateCountOf, writeModInstance } from "./mod-instance.ts";
import { namedCells } from "./named-cells.ts";
import { unitInteger } from "./types.ts";

/**
 * Evaluates a circuit with its inputs and a modulus. Continues with the outputs. Branches when a value has no
 * inverse, with the values up to that gate and the guarantee of the failure.
 */
export const evalCircuit: Specialize = (context, args) => {
  const circuit = typeArgument(args);
  const addMod = context.find("AddMod");
  const mulMod = context.find("MulMod");
  const builtins = [builtinOutput(addMod), deferredOutput(mulMod)];
  const outputs = simpleOutput(wrapped(context, "CircuitOutputs", circuit));
  return {
    signature: forked(
      [
        addMod,
        mulMod,
        wrapped(context, "CircuitDescriptor", circuit),
        wrapped(context, "CircuitData", circuit),
        context.find("CircuitModulus"),
        unitInteger(context, 0n),
        unitInteger(context, 1n),
      ],
      { variables: [...builtins, outputs], apChange: "other" },
      { variables: [...builtins, ...failureOutputs(context, circuit)], apChange: "other" },
    ),
    apChanges: () => [known(4), known(4)],
    costs: (info) => {
      const cost = costOf(info.circuitOf(circuit));
      return [cost, cost];
    },
    build: (invocation) => buildEval(invocation, invocation.info.circuitOf(circuit)),
  };
};

function failureOutputs(context: SpecializationContext, circuit: number): OutputVariable[] {
  return [
    simpleOutput(wrapped(context, "CircuitPartialOutputs", circuit)),
    simpleOutput(context.find("CircuitFailureGuarantee")),
  ];
}

function costOf({ addGates, mulGates }: CircuitInfo): BranchCost {
  const instances = addGates.length === 0 ? 1 : 2;
  return regularCost(
    { steps: 8 + instances * MOD_INSTANCE_CELLS },
    { AddMod: addGates.length, MulMod: mulGates.length },
  );
}

function buildEval(invocation: InvocationBuilder, circuit: CircuitInfo): CompiledInvocation {
  const b = new CasmBuilder();
  const addMod = bufferInput(b, invocation.args[0]?.[0], MOD_INSTANCE_CELLS);
  // Must be a cell, because cells are added to it.
  const mulMod = cellArgument(b, invocation, 1);
  const descriptor = namedCells(b, invocation.args[2], [
    "addGates",
    "addCount",
    "mulGates",
    "mulCount",
  ]);
  const modulus = cellQuad(b, invocation, 4);
  const values = writtenOne(b, invocation, circuit);
  const instance = { modulus, values };
  if (circuit.addGates.length > 0) {
    writeModInstance(b, addMod, { ...instance, offsets: descriptor.addGates });
    b.assertEq(descriptor.addCount, gateCountOf(b, addMod));
  }
  writeModInstance(b, mulMod, { ...instance, offsets: descriptor.mulGates });
  b.hint("EvalCircuit", {
    n_add_mods: descriptor.addCount,
    add_mod_builtin: addMod,
    n_mul_mods: descriptor.mulCount,
    mul_mod_builtin: mulMod,
  });
  const computed = b.tempvar(gateCountOf(b, mulMod));
  const addModAfter = b.sum(addMod, b.constant(MOD_INSTANCE_CELLS * circuit.addGates.length));
  const used = b.tempvar(b.product(computed, b.constant(MOD_INSTANCE_CELLS)));
  const mulModAfter = b.sum(mulMod, used);
  const skipped = b.tempvar(b.difference(descriptor.mulCount, computed));
  b.jumpNz(skipped, "Failure");
  const outputs = [values, ...modulus];
  const builtins = [[addModAfter], [mulModAfter]];
  const guarantee = [descriptor.mulGates, descriptor.mulCount, computed, ...outputs];
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [...builtins, outputs] },
    {
      label: "Failure",
      outputs: [...builtins, [...outputs, computed], guarantee],
      target: invocation.target(1),
    },
  ]);
}

/** Writes the constant one before the inputs. @returns the pointer to all values */
function writtenOne(
  b: CasmBuilder,
  invocation: InvocationBuilder,
  { inputCount }: CircuitInfo,
): Var {
  const inputsEnd = cellArgument(b, invocation, 3);
  const zero = cellArgument(b, invocation, 5);
  const one = cellArgument(b, invocation, 6);
  const length = b.constant((1 + inputCount) * VALUE_CELLS);
  const values = b.tempvar(b.difference(inputsEnd, length));
  [one, zero, zero, zero].forEach((limb, index) => b.assertEq(limb, b.at(values, index)));
  return values;
}
