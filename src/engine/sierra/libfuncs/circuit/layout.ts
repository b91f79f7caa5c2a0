/** Cells of an instance of the builtins `add_mod` and `mul_mod`. */
export const MOD_INSTANCE_CELLS = 7;

/** Cells that describe a gate: offsets of its operands and of its result. */
export const GATE_CELLS = 3;

/** Position of the constant one among the values; the inputs come next, then what is computed. */
export const ONE_POSITION = 0;
