import { Cause, Hint, Kind, Layout } from "./abi.generated";
import { Arithmetic } from "./arithmetic";
import { Cells } from "./cells";
import { Dictionaries } from "./dictionaries";
import { Failure } from "./failure";
import { F } from "./frame";
import { MathHints } from "./math-hints";
import { Operands } from "./operands";
import { Squash } from "./squash";
import { Cost, Work } from "./work";
import { hostHint, systemCall } from "./host";

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);

/** Executes the hints of one slot, in order, before its instruction. */
export class Hints {
  /**
   * Runs a list of hints; `list` is the address of a count followed by that many hints.
   *
   * @returns `false` after a recorded failure
   */
  static run(list: usize): bool {
    const count = load<u32>(list);
    Operands.cursor = list + 4;
    Failure.inHint = true;
    for (let i: u32 = 0; i < count; i++) {
      const hint = Operands.word();
      if (!Hints.one(hint)) return false;
      Work.add(Cost.HINT);
    }
    Failure.inHint = false;
    return true;
  }

  private static one(hint: u32): bool {
    switch (hint) {
      case Hint.ALLOC_SEGMENT: {
        const index = Cells.addSegment(Kind.PLAIN);
        return index >= 0 && Operands.storeAddress(u64(index), 0);
      }
      case Hint.ALLOC_CONSTANT_SIZE:
        return Hints.allocConstantSize();
      case Hint.TEST_LESS_THAN:
        return (
          Operands.integer(A) && Operands.integer(B) && Hints.store(Arithmetic.compare(A, B) < 0)
        );
      case Hint.TEST_LESS_THAN_OR_EQUAL:
        return Operands.value(A) && Operands.value(B) && Hints.store(Arithmetic.compare(A, B) <= 0);
      case Hint.WIDE_MUL_128:
        return MathHints.wideMul128();
      case Hint.DIV_MOD:
        return MathHints.divMod();
      case Hint.UINT256_DIV_MOD:
        return MathHints.uint256DivMod();
      case Hint.SQUARE_ROOT:
        Work.add(Cost.ROOT_HINT);
        return MathHints.squareRoot();
      case Hint.UINT256_SQUARE_ROOT:
        Work.add(Cost.ROOT_HINT);
        return MathHints.uint256SquareRoot();
      case Hint.LINEAR_SPLIT:
        return MathHints.linearSplit();
      case Hint.ALLOC_DICTIONARY:
        return Dictionaries.allocate();
      case Hint.DICTIONARY_ENTRY_INIT:
        return Dictionaries.entryInit();
      case Hint.DICTIONARY_ENTRY_UPDATE:
        return Dictionaries.entryUpdate();
      case Hint.SEGMENT_ARENA_INDEX:
        return Dictionaries.arenaIndex();
      case Hint.INIT_SQUASH:
        return Squash.init();
      case Hint.ACCESS_INDEX:
        return Squash.accessIndex();
      case Hint.SHOULD_SKIP_LOOP:
        return Squash.shouldLoop(0);
      case Hint.ACCESS_DELTA:
        return Squash.accessDelta();
      case Hint.SHOULD_CONTINUE_LOOP:
        return Squash.shouldLoop(1);
      case Hint.NEXT_KEY:
        return Squash.nextKey();
      case Hint.SMALL_ARCS:
        return MathHints.smallArcs();
      case Hint.IS_FIRST_ARC:
        return Hints.store(F.excludedArc != 0);
      case Hint.IS_SECOND_ARC:
        return Hints.store(F.excludedArc != 1);
      case Hint.RANDOM_EC_POINT:
        Work.add(Cost.FIELD_HINT);
        return MathHints.randomEcPoint();
      case Hint.FIELD_SQRT:
        Work.add(Cost.FIELD_HINT);
        return MathHints.fieldSqrt();
      case Hint.DICTIONARY_READ:
        return Dictionaries.read();
      case Hint.DICTIONARY_WRITE:
        return Dictionaries.write();
      case Hint.SYSTEM_CALL:
        return Hints.systemCall();
      case Hint.HOST:
        return Hints.host();
      default:
        return Failure.plain(Cause.UNSUPPORTED);
    }
  }

  @inline
  private static store(value: bool): bool {
    return Operands.storeNumber(u64(value));
  }

  /** Saves the cursor, because inner calls of the host move it. */
  private static systemCall(): bool {
    const cursor = Operands.cursor;
    if (systemCall() != 0) return Failure.plain(Cause.HOST);
    Failure.inHint = true;
    Operands.cursor = cursor;
    return true;
  }

  private static host(): bool {
    const number = Operands.word();
    const length = usize(Operands.word());
    const cursor = Operands.cursor + (length << 2);
    if (hostHint(number) != 0) return Failure.plain(Cause.HOST);
    Operands.cursor = cursor;
    return true;
  }

  /** Allocates a part of one shared segment, which is created on first use. */
  private static allocConstantSize(): bool {
    if (!Operands.felt(A)) return false;
    if (F.constantSegment == 0) {
      const index = Cells.addSegment(Kind.PLAIN);
      if (index < 0) return false;
      F.constantSegment = u32(index) + 1;
    }
    const start = F.constantNext;
    if (!Cells.isU64(A) || load<u64>(A) > 1 << 40) return Failure.plain(Cause.HINT_OPERAND);
    F.constantNext = start + load<u64>(A);
    return Operands.storeAddress(u64(F.constantSegment - 1), start);
  }
}
