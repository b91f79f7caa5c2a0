/** Cells of what the arena knows of a dictionary: its start, its end, when it was squashed. */
export const DICT_INFO_CELLS = 3;

/** Cells of an access to a dictionary: the key, the value before, the value after. */
export const ACCESS_CELLS = 3;
