/** Copies of the cells of the instruction that the slow path executes, and cells for comparing. */
export const DST: usize = memory.data(32, 16);
export const OP0: usize = memory.data(32, 16);
export const OP1: usize = memory.data(32, 16);
export const RES: usize = memory.data(32, 16);
export const RETURN_PC: usize = memory.data(32, 16);
export const FRAME_POINTER: usize = memory.data(32, 16);
