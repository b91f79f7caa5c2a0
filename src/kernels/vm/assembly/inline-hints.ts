import { Exit } from "./exit";
import { F } from "./frame";
import { Hints } from "./hints";
import { Regions } from "./regions";

/** Hints that the interpreter's loop executes without being left. */
export class InlineHints {
  /**
   * Executes a list of hints that do not ask the host for anything. The registers are in F.
   *
   * @returns Exit.BUDGET when the loop can go on with the instruction, what it returns otherwise
   */
  static run(list: usize): u32 {
    const heapLow = Regions.heapLow;
    const denseStart = F.denseStart;
    const sparseBytes = F.sparseBytes;
    if (!Hints.run(list)) return Exit.FAILED;
    // The slice was made for what room there was.
    const isSame =
      Regions.heapLow == heapLow && F.denseStart == denseStart && F.sparseBytes == sparseBytes;
    return isSame ? Exit.BUDGET : Exit.HINTS_DONE;
  }
}
