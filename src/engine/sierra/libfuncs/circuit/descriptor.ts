import type { CellExpression } from "../../casm/cell-expression.ts";
import type { Instruction } from "../../casm/instruction.ts";
import { apCell, deref, immediate, type ResOperand } from "../../casm/operand.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { straight, tempOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { wrapped } from "../shared/types.ts";
import { GATE_CELLS } from "./layout.ts";

/** Returns the addresses of a circuit's gate descriptions, and the number of gates. */
export const getCircuitDescriptor: Specialize = (context, args) => {
  const circuit = typeArgument(args);
  const descriptor = wrapped(context, "CircuitDescriptor", circuit);
  return {
    signature: straight([], [tempOutput(descriptor, 0)], "other"),
    ...steady({ ap: 6, steps: 6 }),
    build: (invocation) => buildDescriptor(invocation, circuit),
  };
};

function buildDescriptor(invocation: InvocationBuilder, circuit: number): CompiledInvocation {
  const { addGates, mulGates } = invocation.info.circuitOf(circuit);
  const instructions: Instruction[] = [
    // Calls the `ret` before the description, so that the call writes an address with a known distance to it.
    {
      body: { kind: "call", target: immediate(0), relative: true },
      incAp: false,
      hints: [],
    },
    // The relocated distance from the call is added to 1, the size of the `ret`.
    pushed(apCellPlus(-1, 1)),
    pushed(immediate(addGates.length)),
    pushed(apCellPlus(-2, addGates.length * GATE_CELLS)),
    pushed(immediate(mulGates.length)),
  ];
  const target = { kind: "circuit", type: circuit } as const;
  const cells: CellExpression[] = [-4, -3, -2, -1].map((offset) => deref(apCell(offset)));
  return invocation.finishPlain(
    instructions,
    [
      { instruction: 0, target },
      { instruction: 1, target },
    ],
    [[cells]],
  );
}

/** `[ap] = value, ap++`. */
function pushed(value: ResOperand): Instruction {
  return { body: { kind: "assert_eq", a: apCell(0), b: value }, incAp: true, hints: [] };
}

function apCellPlus(offset: number, value: number): ResOperand {
  return { kind: "bin_op", op: "add", a: apCell(offset), b: immediate(value) };
}
