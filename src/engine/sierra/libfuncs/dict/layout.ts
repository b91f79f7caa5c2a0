/**
 * Number of cells of a dictionary's entry in the arena: start, end, and position in the order of
 * squashing.
 */
export const DICT_INFO_CELLS = 3;

/** Number of cells of one access to a dictionary: key, previous value, new value. */
export const ACCESS_CELLS = 3;
