import { Cause } from "./abi.generated";
import { Blake2s } from "../../field/assembly/blake2s";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F } from "./frame";
import { ACCESSED } from "./layout";
import { Cost, Work } from "./work";

const STATE: usize = memory.data(32, 16);
const MESSAGE: usize = memory.data(64, 16);
const WORD: usize = memory.data(32, 16);

/** The Blake2s instructions (opcode extensions 1 and 2). */
export class Blake {
  /**
   * Compresses the block at `message` into the state at `state`, and writes the new state to the address in
   * the cell at ap.
   */
  static compress(
    counter: u64,
    state: u64,
    messageSegment: u64,
    message: u64,
    output: u64,
    isLast: bool,
  ): bool {
    const count = Cells.at(1, counter);
    if (!Blake.isU32(count)) return Blake.notU32(count, 1, counter);
    if (!Blake.words(STATE, 1, state, 8)) return false;
    if (!Blake.words(MESSAGE, messageSegment, message, 16)) return false;
    const target = Cells.at(1, output);
    if (!Blake.isPointer(target)) return Failure.address(Cause.EXPECTED_ADDRESS, 1, output);
    Work.add(Cost.BLAKE);
    Blake2s.compress(STATE, MESSAGE, load<u64>(count), isLast);
    const segment = load<u64>(target, 8);
    const offset = load<u64>(target);
    for (let i: u64 = 0; i < 8; i++) {
      Cells.setNumber(WORD, u64(load<u32>(STATE + (usize(i) << 2))));
      if (!Cells.write(segment, offset + i, WORD)) return false;
      const cell = Cells.at(segment, offset + i);
      if (F.marks != 0) store<u64>(cell, load<u64>(cell, 24) | ACCESSED, 24);
    }
    return true;
  }

  private static isPointer(cell: usize): bool {
    return Cells.isKnown(cell) && Cells.isAddress(cell);
  }

  private static isU32(cell: usize): bool {
    return (
      Cells.isKnown(cell) &&
      !Cells.isAddress(cell) &&
      Cells.isU64(cell) &&
      load<u64>(cell) >> 32 == 0
    );
  }

  private static notU32(cell: usize, segment: u64, offset: u64): bool {
    if (!Cells.isKnown(cell)) return Failure.address(Cause.UNKNOWN_CELL, segment, offset);
    if (Cells.isAddress(cell)) return Failure.address(Cause.EXPECTED_INTEGER, segment, offset);
    return Failure.cells(Cause.NOT_U32, cell, cell);
  }

  /** Reads `count` 32-bit words from the address in the cell at (segment, offset). */
  private static words(out: usize, segment: u64, offset: u64, count: u64): bool {
    const pointer = Cells.at(segment, offset);
    if (!Blake.isPointer(pointer)) return Failure.address(Cause.EXPECTED_ADDRESS, segment, offset);
    const from = load<u64>(pointer, 8);
    const first = load<u64>(pointer);
    for (let i: u64 = 0; i < count; i++) {
      const cell = Cells.at(from, first + i);
      if (!Blake.isU32(cell)) return Blake.notU32(cell, from, first + i);
      store<u32>(out + (usize(i) << 2), u32(load<u64>(cell)));
    }
    return true;
  }
}
