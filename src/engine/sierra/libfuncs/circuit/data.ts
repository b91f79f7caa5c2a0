import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import { type CircuitInfo, VALUE_CELLS } from "../../libfunc/circuit-info.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import {
  builtinOutput,
  deferredOutput,
  forked,
  simpleOutput,
  straight,
} from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { wrapped } from "../shared/types.ts";
import { rangeChecks96Between } from "./range-checks-96.ts";
import { guaranteeTuple } from "./types.ts";

/** Reserves cells of the range check builtin for all values of a circuit; inputs are added to them. */
export const initCircuitData: Specialize = (context, args) => {
  const circuit = typeArgument(args);
  const rangeCheck96 = context.find("RangeCheck96");
  const accumulator = wrapped(context, "CircuitInputAccumulator", circuit);
  return {
    signature: straight(
      [rangeCheck96],
      [builtinOutput(rangeCheck96), deferredOutput(accumulator)],
      "new_vars_only",
    ),
    apChanges: () => [known(0)],
    costs: (info) => [regularCost({ rangeChecks96: cellCount(info.circuitOf(circuit)) })],
    build: (invocation) => buildInit(invocation, invocation.info.circuitOf(circuit)),
  };
};

function cellCount({ valueCount }: CircuitInfo): number {
  return valueCount * VALUE_CELLS;
}

function buildInit(invocation: InvocationBuilder, circuit: CircuitInfo): CompiledInvocation {
  const b = new CasmBuilder();
  const start = bufferInput(b, invocation.singles()[0], 1);
  // The constant one precedes the inputs.
  const inputsStart = b.sum(start, b.constant(VALUE_CELLS));
  const inputsEnd = b.sum(start, b.constant((1 + circuit.inputCount) * VALUE_CELLS));
  const end = b.sum(start, b.constant(cellCount(circuit)));
  const outputs = [[end], [inputsStart, inputsEnd]];
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs }], rangeChecks96Between(start, end));
}

/** Writes an input of a circuit. Continues after the last one, otherwise branches. */
export const addCircuitInput: Specialize = (context, args) => {
  const circuit = typeArgument(args);
  const accumulator = wrapped(context, "CircuitInputAccumulator", circuit);
  const data = wrapped(context, "CircuitData", circuit);
  return {
    signature: forked(
      [accumulator, guaranteeTuple(context)],
      { variables: [simpleOutput(data)], apChange: "other" },
      { variables: [simpleOutput(accumulator)], apChange: "other" },
    ),
    ...steady({ ap: 2, steps: 7 }, { ap: 2, steps: 7 }),
    build: buildAddInput,
  };
};

function buildAddInput(invocation: InvocationBuilder): CompiledInvocation {
  const [accumulator, input] = invocation.args;
  const b = new CasmBuilder();
  const pointer = bufferInput(b, accumulator?.[0], VALUE_CELLS);
  const end = derefInput(b, accumulator?.[1]);
  for (const limb of input ?? []) b.assertEq(derefInput(b, limb), b.next(pointer));
  const newPointer = b.tempvar(pointer);
  const remaining = b.tempvar(b.difference(end, newPointer));
  b.jumpNz(remaining, "MoreInputs");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [[end]] },
    { label: "MoreInputs", outputs: [[newPointer, end]], target: invocation.target(1) },
  ]);
}
