/** Number of cells of an `add_mod` or `mul_mod` instance. */
export const MOD_INSTANCE_CELLS = 7;

/** Number of cells that describe a gate: offsets of its operands and its result. */
export const GATE_CELLS = 3;

/** Position of the constant one among the values; inputs and computed values follow. */
export const ONE_POSITION = 0;
