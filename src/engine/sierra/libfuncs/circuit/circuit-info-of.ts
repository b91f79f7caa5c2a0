import { CompileError } from "../../compile-error.ts";
import type { CircuitInfo, GateOffsets } from "../../libfunc/circuit-info.ts";
import type { GenericArgument } from "../../program/program.ts";
import { isGate } from "../../types/circuit-types.ts";
import type { ConcreteType } from "../../types/concrete-type.ts";
import { userTypeArg } from "../shared/types.ts";
import { ONE_POSITION } from "./layout.ts";

/**
 * Compiles the circuit of a type `Circuit<(outputs)>`. Its values are the constant one, the inputs as passed,
 * the inputs modulo the modulus, and the gate results, each after its operands.
 *
 * @param types - all types of the program
 * @param circuit - type of the circuit
 * @throws {CompileError} SIERRA_SPECIALIZATION when it is not a circuit, has no inputs, when an input is
 *   missing, or when a gate depends on itself
 */
export function circuitInfoOf(types: readonly ConcreteType[], circuit: number): CircuitInfo {
  const outputs = outputsOf(types, circuit);
  const inputs = inputsOf(types, outputs);
  const layout = new CircuitLayout(types, inputs);
  // Outputs and operands are visited from last to first: the order of gates is part of the bytecode.
  const stack = outputs.map((type) => ({ type, isSeen: false }));
  const open = new Set<number>();
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { type, isSeen } = top;
    if (layout.has(type)) continue;
    if (isSeen) {
      layout.addGate(type);
      open.delete(type);
      continue;
    }
    if (open.has(type)) refuse(`type #${type} is a gate that depends on itself`);
    open.add(type);
    stack.push({ type, isSeen: true });
    for (const operand of operandsOf(types, type)) stack.push({ type: operand, isSeen: false });
  }
  return layout.info();
}

/** Positions of the values of a circuit, and its gates. */
class CircuitLayout {
  readonly #types: readonly ConcreteType[];
  readonly #inputCount: number;
  readonly #offsets = new Map<number, number>();
  readonly #addGates: GateOffsets[] = [];
  readonly #mulGates: GateOffsets[] = [];

  /** Starts with the inputs: each is reduced by a multiplication with one. */
  constructor(types: readonly ConcreteType[], inputs: readonly number[]) {
    this.#types = types;
    this.#inputCount = inputs.length;
    inputs.forEach((type, index) => {
      const output = this.#take(type);
      this.#mulGates.push({ lhs: ONE_POSITION, rhs: 1 + index, output });
    });
  }

  has(type: number): boolean {
    return this.#offsets.has(type);
  }

  /** Adds a gate whose operands already have positions. */
  addGate(type: number): void {
    const { genericId } = typeAt(this.#types, type);
    const operands = operandsOf(this.#types, type).map((each) => this.#offsets.get(each));
    const [lhs, rhs] = operands;
    if (lhs === undefined) return refuse(`type #${type} is not a gate of a circuit`);
    const output = this.#take(type);
    if (genericId === "InverseGate") {
      this.#mulGates.push({ lhs: output, rhs: lhs, output: ONE_POSITION });
      return;
    }
    if (rhs === undefined) return refuse(`type #${type} is not a gate of a circuit`);
    // A difference is a rearranged sum.
    if (genericId === "SubModGate") this.#addGates.push({ lhs: output, rhs, output: lhs });
    else if (genericId === "AddModGate") this.#addGates.push({ lhs, rhs, output });
    else this.#mulGates.push({ lhs, rhs, output });
  }

  info(): CircuitInfo {
    return {
      inputCount: this.#inputCount,
      valueOffsets: this.#offsets,
      addGates: this.#addGates,
      mulGates: this.#mulGates,
      valueCount: this.#end(),
    };
  }

  #take(type: number): number {
    const offset = this.#end();
    this.#offsets.set(type, offset);
    return offset;
  }

  #end(): number {
    return 1 + this.#inputCount + this.#offsets.size;
  }
}

/** Inputs of a circuit by index; the indices must be consecutive. */
function inputsOf(types: readonly ConcreteType[], outputs: readonly number[]): number[] {
  const inputs: number[] = [];
  const seen = new Set<number>();
  const stack = [...outputs];
  for (let type = stack.pop(); type !== undefined; type = stack.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    const declared = typeAt(types, type);
    if (declared.genericId === "CircuitInput") inputs.push(type);
    else if (isGate(declared)) stack.push(...operandsOf(types, type));
    else refuse(`type #${type} is not a value of a circuit`);
  }
  if (inputs.length === 0) refuse("a circuit must have inputs");
  const byIndex = new Map(inputs.map((type) => [inputIndex(typeAt(types, type)), type]));
  return inputs.map((_, index) => {
    return byIndex.get(BigInt(index)) ?? refuse(`the circuit has no input ${index}`);
  });
}

function inputIndex({ id, args }: ConcreteType): bigint {
  const [index] = args;
  return index?.kind === "value" ? index.value : refuse(`type #${id}: an input must have an index`);
}

const TUPLE = userTypeArg("Tuple");

function outputsOf(types: readonly ConcreteType[], circuit: number): number[] {
  const { genericId, args } = typeAt(types, circuit);
  const [tuple] = args;
  if (genericId !== "Circuit" || tuple?.kind !== "type") {
    return refuse(`type #${circuit} is not a circuit`);
  }
  const { genericId: outer, args: members } = typeAt(types, tuple.type);
  const [name, ...outputs] = members;
  const isTuple = outer === "Struct" && name !== undefined && isSameUserType(name, TUPLE);
  return isTuple
    ? typesOf(outputs)
    : refuse(`type #${circuit}: the outputs of a circuit must be a tuple`);
}

function isSameUserType(a: GenericArgument, b: GenericArgument): boolean {
  return a.kind === "user_type" && b.kind === "user_type" && a.id === b.id;
}

function operandsOf(types: readonly ConcreteType[], type: number): number[] {
  return typesOf(typeAt(types, type).args);
}

function typesOf(args: readonly GenericArgument[]): number[] {
  return args.map((each) =>
    each.kind === "type" ? each.type : refuse("parts of a circuit must be types"),
  );
}

function typeAt(types: readonly ConcreteType[], id: number): ConcreteType {
  return types[id] ?? refuse(`type #${id} does not exist`);
}

function refuse(reason: string): never {
  throw new CompileError("SIERRA_SPECIALIZATION", reason);
}
