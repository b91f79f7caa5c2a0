import { Handler } from "./abi.generated";
import { Felt } from "../../field/assembly/felt";
import { F } from "./frame";
import { ACCESSED, KNOWN, REL, SLOT, VALUE } from "./layout";

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);

/**
 * The fast handler of products, outside of the interpreter's loop because it calls a function:
 * [dst] = [op0] * op1 of known integers into an unknown cell.
 *
 * @returns false, with nothing done, when the instruction at pc is anything else
 */
export function multiply(): bool {
  if (F.pcSegment != 0 || F.pc >= F.length) return false;
  const slot = F.slots + usize(F.pc) * SLOT;
  const handler = u32(load<u8>(slot, 1));
  if (handler != Handler.MUL && handler != Handler.MUL_IMMEDIATE) return false;
  const registers = u32(load<u8>(slot, 2));
  const target = select<usize>(F.fp, F.ap, (registers & 1) != 0) + load<i32>(slot, 4);
  const a = select<usize>(F.fp, F.ap, (registers & 2) != 0) + load<i32>(slot, 8);
  const b =
    handler == Handler.MUL
      ? select<usize>(F.fp, F.ap, (registers & 4) != 0) + load<i32>(slot, 12)
      : slot + load<i32>(slot, 12);
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  if ((a3 & b3) >> 63 == 0 || ((a3 | b3) & REL) != 0) return false;
  if (load<u64>(target, 24) >> 63 != 0 || target < F.denseStart) return false;
  store<u64>(a, a3 | ACCESSED, 24);
  store<u64>(b, b3 | ACCESSED, 24);
  Felt.set(A, load<u64>(a), load<u64>(a, 8), load<u64>(a, 16), a3 & VALUE);
  Felt.set(B, load<u64>(b), load<u64>(b, 8), load<u64>(b, 16), b3 & VALUE);
  Felt.mul(A, A, B);
  Felt.set(target, load<u64>(A), load<u64>(A, 8), load<u64>(A, 16), load<u64>(A, 24));
  store<u64>(target, load<u64>(target, 24) | KNOWN | ACCESSED, 24);
  if (target >= F.stackTop) F.stackTop = target + 32;
  F.ap += load<u32>(slot, 24);
  F.pc += load<u32>(slot, 28) / u32(SLOT);
  return true;
}
