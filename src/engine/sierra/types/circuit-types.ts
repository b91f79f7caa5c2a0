import { typeArgument, typeArguments, valueArgument } from "../libfunc/arguments.ts";
import type { GenericArgument, TypeInfo } from "../program/program.ts";
import { LINEAR_INFO, VALUE_INFO } from "./plain-types.ts";
import { refuseArguments, type TypeRule, type TypeScope } from "./type-scope.ts";

const GATES = new Set(["AddModGate", "SubModGate", "MulModGate", "InverseGate"]);

/** Whether a type is a gate of a circuit. */
export function isGate({ genericId }: { readonly genericId: string }): boolean {
  return GATES.has(genericId);
}

/** Whether a type is a value of a circuit: an input or the result of a gate. */
export function isCircuitPart(type: { readonly genericId: string }): boolean {
  return type.genericId === "CircuitInput" || isGate(type);
}

/** Info of types that only describe a circuit and have no values. */
const DESCRIPTION_INFO: TypeInfo = {
  storable: false,
  droppable: false,
  duplicatable: false,
  zeroSized: true,
};

const ONCE_INFO: TypeInfo = { ...VALUE_INFO, duplicatable: false };

/** Exclusive bound of counts: 64 bits. */
const COUNT_LIMIT = 1n << 64n;

/** Circuit types with arguments, by generic id. */
export const CIRCUIT_TYPES: readonly (readonly [string, TypeRule])[] = [
  ["CircuitInput", input],
  ["AddModGate", gate(2)],
  ["SubModGate", gate(2)],
  ["MulModGate", gate(2)],
  ["InverseGate", gate(1)],
  ["Circuit", circuit],
  ["CircuitInputAccumulator", ofCircuit(ONCE_INFO)],
  ["CircuitData", ofCircuit(ONCE_INFO)],
  ["CircuitOutputs", ofCircuit(VALUE_INFO)],
  ["CircuitPartialOutputs", ofCircuit(ONCE_INFO)],
  ["CircuitDescriptor", ofCircuit(VALUE_INFO)],
  ["U96LimbsLtGuarantee", limbsGuarantee],
];

function input(_: TypeScope, args: readonly GenericArgument[]): ReturnType<TypeRule> {
  countArgument(args, 0n);
  return { info: DESCRIPTION_INFO, data: { kind: "plain" } };
}

function gate(operands: number): TypeRule {
  return (scope, args) => {
    const parts = typeArguments(args);
    if (parts.length !== operands || !parts.every((part) => isCircuitPart(scope.resolve(part)))) {
      return refuseArguments(`expected ${operands} parts of a circuit`);
    }
    return { info: DESCRIPTION_INFO, data: { kind: "plain" } };
  };
}

/** Only checks the argument: the circuit itself is compiled once all types exist. */
function circuit(scope: TypeScope, args: readonly GenericArgument[]): ReturnType<TypeRule> {
  const outputs = typeArgument(args);
  if (scope.resolve(outputs).genericId !== "Struct") return refuseArguments("expected a tuple");
  return { info: DESCRIPTION_INFO, data: { kind: "wrapper", inner: outputs } };
}

function ofCircuit(info: TypeInfo): TypeRule {
  return (scope, args) => {
    const inner = typeArgument(args);
    if (scope.resolve(inner).genericId !== "Circuit") return refuseArguments("expected a circuit");
    return { info, data: { kind: "wrapper", inner } };
  };
}

function limbsGuarantee(_: TypeScope, args: readonly GenericArgument[]): ReturnType<TypeRule> {
  countArgument(args, 1n);
  return { info: LINEAR_INFO, data: { kind: "plain" } };
}

function countArgument(args: readonly GenericArgument[], minimum: bigint): void {
  const value = valueArgument(args);
  if (value < minimum || value >= COUNT_LIMIT)
    refuseArguments(`expected a count of at least ${minimum}`);
}
