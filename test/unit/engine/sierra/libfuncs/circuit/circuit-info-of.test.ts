import { describe, expect, test } from "bun:test";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { circuitInfoOf } from "#engine/sierra/libfuncs/circuit/circuit-info-of.ts";
import { userTypeArg } from "#engine/sierra/libfuncs/shared/types.ts";
import type { GenericArgument } from "#engine/sierra/program/program.ts";
import type { ConcreteType } from "#engine/sierra/types/concrete-type.ts";

/** Types by generic id and arguments: numbers are types, bigints values, strings user types. */
function typesOf(
  ...declarations: readonly (readonly [string, ...(number | bigint | string)[]])[]
): ConcreteType[] {
  const info = { storable: false, droppable: false, duplicatable: false, zeroSized: true };
  return declarations.map(([genericId, ...args], id) => ({
    id,
    genericId,
    args: args.map(argumentOf),
    info,
    data: { kind: "plain" },
  }));
}

function argumentOf(argument: number | bigint | string): GenericArgument {
  if (typeof argument === "number") return { kind: "type", type: argument };
  if (typeof argument === "bigint") return { kind: "value", value: argument };
  return userTypeArg(argument);
}

function refusal(types: readonly ConcreteType[], circuit: number): string {
  try {
    circuitInfoOf(types, circuit);
  } catch (error) {
    if (error instanceof CompileError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "";
}

describe("circuitInfoOf", () => {
  test("of a single input has the value one, the input and its reduction", () => {
    const types = typesOf(["CircuitInput", 0n], ["Struct", "Tuple", 0], ["Circuit", 1]);
    expect(circuitInfoOf(types, 2)).toEqual({
      inputCount: 1,
      valueOffsets: new Map([[0, 2]]),
      addGates: [],
      mulGates: [{ lhs: 0, rhs: 1, output: 2 }],
      valueCount: 3,
    });
  });

  test("reduces inputs in the order of their indices", () => {
    const types = typesOf(
      ["CircuitInput", 1n],
      ["CircuitInput", 0n],
      ["Struct", "Tuple", 0, 1],
      ["Circuit", 2],
    );
    const { valueOffsets, mulGates } = circuitInfoOf(types, 3);
    expect([valueOffsets.get(1), valueOffsets.get(0)]).toEqual([3, 4]);
    expect(mulGates).toEqual([
      { lhs: 0, rhs: 1, output: 3 },
      { lhs: 0, rhs: 2, output: 4 },
    ]);
  });

  test("reverses differences and inverses", () => {
    const types = typesOf(
      ["CircuitInput", 0n],
      ["CircuitInput", 1n],
      ["SubModGate", 0, 1],
      ["InverseGate", 2],
      ["Struct", "Tuple", 3],
      ["Circuit", 4],
    );
    const { addGates, mulGates, valueCount } = circuitInfoOf(types, 5);
    // in0 - in1 = value 5: value 5 + in1 = in0; 1 / value 5 = value 6: value 6 * value 5 = 1.
    expect(addGates).toEqual([{ lhs: 5, rhs: 4, output: 3 }]);
    expect(mulGates.slice(2)).toEqual([{ lhs: 6, rhs: 5, output: 0 }]);
    expect(valueCount).toBe(7);
  });

  test("computes the last output first", () => {
    const types = typesOf(
      ["CircuitInput", 0n],
      ["AddModGate", 0, 0],
      ["MulModGate", 0, 0],
      ["Struct", "Tuple", 1, 2],
      ["Circuit", 3],
    );
    const { valueOffsets, addGates, mulGates } = circuitInfoOf(types, 4);
    expect([valueOffsets.get(2), valueOffsets.get(1)]).toEqual([3, 4]);
    expect(addGates).toEqual([{ lhs: 2, rhs: 2, output: 4 }]);
    expect(mulGates.slice(1)).toEqual([{ lhs: 2, rhs: 2, output: 3 }]);
  });

  test("computes each gate once", () => {
    const types = typesOf(
      ["CircuitInput", 0n],
      ["AddModGate", 0, 0],
      ["MulModGate", 1, 1],
      ["Struct", "Tuple", 1, 2, 1],
      ["Circuit", 3],
    );
    const { valueCount, addGates, mulGates } = circuitInfoOf(types, 4);
    expect([valueCount, addGates.length, mulGates.length]).toEqual([5, 1, 2]);
  });

  test("computes the last operand first", () => {
    const types = typesOf(
      ["CircuitInput", 0n],
      ["AddModGate", 0, 0],
      ["MulModGate", 0, 0],
      ["AddModGate", 1, 2],
      ["Struct", "Tuple", 3],
      ["Circuit", 4],
    );
    const { valueOffsets } = circuitInfoOf(types, 5);
    expect([valueOffsets.get(2), valueOffsets.get(1), valueOffsets.get(3)]).toEqual([3, 4, 5]);
  });

  test("supports deep circuits", () => {
    const depth = 20_000;
    const gates = Array.from({ length: depth }, (_, i) => ["AddModGate", i, i] as const);
    const types = typesOf(
      ["CircuitInput", 0n],
      ...gates,
      ["Struct", "Tuple", depth],
      ["Circuit", depth + 1],
    );
    expect(circuitInfoOf(types, depth + 2).addGates).toHaveLength(depth);
  });
});

describe("circuitInfoOf rejects", () => {
  const input = ["CircuitInput", 0n] as const;

  test("a type that is not a circuit", () => {
    expect(refusal(typesOf(input), 0)).toBe("SIERRA_SPECIALIZATION: type #0 is not a circuit");
  });

  test("a circuit whose outputs are not a tuple", () => {
    const expected = "the outputs of a circuit must be a tuple";
    expect(refusal(typesOf(input, ["Struct", "Pair", 0], ["Circuit", 1]), 2)).toContain(expected);
    expect(refusal(typesOf(input, ["Enum", "Tuple", 0], ["Circuit", 1]), 2)).toContain(expected);
    expect(refusal(typesOf(input, ["Struct", 0], ["Circuit", 1]), 2)).toContain(expected);
  });

  test("an output that is not part of a circuit", () => {
    const types = typesOf(["felt252"], ["Struct", "Tuple", 0], ["Circuit", 1]);
    expect(refusal(types, 2)).toContain("type #0 is not a value of a circuit");
  });

  test("a circuit without inputs", () => {
    expect(refusal(typesOf(["Struct", "Tuple"], ["Circuit", 0]), 1)).toContain("must have inputs");
  });

  test("a circuit with a gap in its inputs", () => {
    const types = typesOf(input, ["CircuitInput", 2n], ["Struct", "Tuple", 0, 1], ["Circuit", 2]);
    expect(refusal(types, 3)).toContain("the circuit has no input 1");
  });

  test("a gate that depends on itself", () => {
    const types = typesOf(
      input,
      ["AddModGate", 2, 0],
      ["AddModGate", 1, 0],
      ["Struct", "Tuple", 1],
      ["Circuit", 3],
    );
    expect(refusal(types, 4)).toContain("is a gate that depends on itself");
  });
});
