import { INSTANCE_CELLS, INSTANCE_INPUTS, Kind } from "./abi.generated";

/** Rules for input cells of builtins: cells of an instance that a program writes, not the builtin. */
export class BuiltinInputs {
  /** Whether a cell of a segment is an input of a builtin that accepts any value for it. */
  static takesAny(kind: u32, offset: u64): bool {
    if (kind == Kind.RANGE_CHECK96 || kind == Kind.ECDSA) return false;
    const cells = u32(load<u8>(INSTANCE_CELLS + usize(kind)));
    if (cells == 0) return false;
    return u32(offset) % cells < u32(load<u8>(INSTANCE_INPUTS + usize(kind)));
  }
}
