/** Number of cells of a circuit value: 96-bit limbs, lowest first. */
export const VALUE_CELLS = 4;

/** Gate of a circuit: positions of its operands and its result among the values. */
export interface GateOffsets {
  readonly lhs: number;
  readonly rhs: number;
  readonly output: number;
}

/** Layout of a compiled circuit. */
export interface CircuitInfo {
  readonly inputCount: number;
  /** Position of each value, by type; for an input, the position of the input modulo the modulus. */
  readonly valueOffsets: ReadonlyMap<number, number>;
  /** Gates of the `add_mod` builtin (additions and subtractions), in order. */
  readonly addGates: readonly GateOffsets[];
  /** Gates of the `mul_mod` builtin (input reductions, products, inverses), in order. */
  readonly mulGates: readonly GateOffsets[];
  /** Number of values: the constant one, the inputs, the reduced inputs, and the gate results. */
  readonly valueCount: number;
}
