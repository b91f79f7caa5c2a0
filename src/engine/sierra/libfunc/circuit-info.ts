/** Cells of a value of a circuit: limbs of 96 bits, the lowest first. */
export const VALUE_CELLS = 4;

/** A gate: positions of its operands and its result among the values of a circuit. */
export interface GateOffsets {
  readonly lhs: number;
  readonly rhs: number;
  readonly output: number;
}

/** What a circuit is compiled to. */
export interface CircuitInfo {
  /** Number of inputs. */
  readonly inputCount: number;
  /** Position of each value, by its type; of an input that of the input modulo the modulus. */
  readonly valueOffsets: ReadonlyMap<number, number>;
  /** Gates of the `add_mod` builtin (additions and subtractions) in their order. */
  readonly addGates: readonly GateOffsets[];
  /** Gates of the `mul_mod` builtin (reductions of inputs, products, inverses) in their order. */
  readonly mulGates: readonly GateOffsets[];
  /** Number of values: of the constant one, the inputs, the reduced inputs and the gates. */
  readonly valueCount: number;
}
