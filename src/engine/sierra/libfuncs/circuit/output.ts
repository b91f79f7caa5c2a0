import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { CompileError } from "../../compile-error.ts";
import { typeArguments } from "../../libfunc/arguments.ts";
import { VALUE_CELLS } from "../../libfunc/circuit-info.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { isCircuitPart } from "../../types/circuit-types.ts";
import { steady } from "../shared/steady.ts";
import { unsupported, wrapped } from "../shared/types.ts";
import { lessThanGuarantee, u384 } from "./types.ts";

/** Returns a value of an evaluated circuit, and the guarantee that it is less than the modulus. */
export const getCircuitOutput: Specialize = (context, args) => {
  const [circuit, output, ...others] = typeArguments(args);
  if (circuit === undefined || output === undefined || others.length > 0) {
    return unsupported("a circuit and one of its values");
  }
  if (!isCircuitPart(context.typeOf(output))) unsupported("a value of a circuit");
  const outputs = wrapped(context, "CircuitOutputs", circuit);
  const guarantee = lessThanGuarantee(context, VALUE_CELLS);
  return {
    signature: straight([outputs], [simpleOutput(u384(context)), simpleOutput(guarantee)], "other"),
    ...steady({ ap: 5, steps: 5 }),
    build: (invocation) => buildOutput(invocation, circuit, output),
  };
};

function buildOutput(
  invocation: InvocationBuilder,
  circuit: number,
  output: number,
): CompiledInvocation {
  const position = invocation.info.circuitOf(circuit).valueOffsets.get(output);
  if (position === undefined) {
    throw new CompileError(
      "SIERRA_INVALID",
      `type #${output} is not a value of circuit #${circuit}`,
    );
  }
  const b = new CasmBuilder();
  const [valuesCell, ...modulusCells] = invocation.args[0] ?? [];
  const values = derefInput(b, valuesCell);
  const modulus = modulusCells.map((cell) => derefInput(b, cell));
  // Stored, because the offset may exceed the range of an instruction.
  const pointer = b.tempvar(b.sum(values, b.constant(position * VALUE_CELLS)));
  const limbs = [0, 1, 2, 3].map((limb) => b.tempvar(b.at(pointer, limb)));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [limbs, [...limbs, ...modulus]] }]);
}
