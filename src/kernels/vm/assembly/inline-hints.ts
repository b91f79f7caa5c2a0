import { Exit } from "./exit";
import { F } from "./frame";
import { Hints } from "./hints";
import { Regions } from "./regions";

/** Hints that run within the interpreter's loop. */
export class InlineHints {
  /**
   * Executes a list of hints that do not call the host. The registers are in F.
   *
   * @returns Exit.BUDGET if the loop can continue with the instruction, otherwise its result
   */
  static run(list: usize): u32 {
    const heapLow = Regions.heapLow;
    const denseStart = F.denseStart;
    const sparseBytes = F.sparseBytes;
    if (!Hints.run(list)) return Exit.FAILED;
    // The slice was sized for the previously available memory.
    const isSame =
      Regions.heapLow == heapLow && F.denseStart == denseStart && F.sparseBytes == sparseBytes;
    return isSame ? Exit.BUDGET : Exit.HINTS_DONE;
  }
}
