import { OriginError } from "#base/errors/index.ts";
import type { OriginReader } from "#engine/state/index.ts";

/** Code of the error of every read of {@link UnreachableOrigin}. */
export const ORIGIN_NOT_HERE = "ORIGIN_NOT_HERE";

/**
 * Origin on a thread that must not wait: every read throws {@link OriginError} with {@link ORIGIN_NOT_HERE},
 * so that the caller repeats its work on a thread that may wait.
 */
export class UnreachableOrigin implements OriginReader {
  readonly forkBlock: number;
  readonly stateAt: OriginReader["stateAt"];
  readonly block: OriginReader["block"] = notHere;
  readonly stateDiff: OriginReader["stateDiff"] = notHere;
  readonly numberByHash: OriginReader["numberByHash"] = notHere;
  readonly locate: OriginReader["locate"] = notHere;
  readonly declaredClass: OriginReader["declaredClass"] = notHere;
  readonly l1AcceptedNumber: OriginReader["l1AcceptedNumber"] = notHere;
  readonly messagesOfL1Transaction: OriginReader["messagesOfL1Transaction"] = notHere;

  constructor(forkBlock: number) {
    this.forkBlock = forkBlock;
    // Only the values of a state are out of reach: local blocks may hide them.
    this.stateAt = () => ({
      storageAt: notHere,
      nonceAt: notHere,
      classHashAt: notHere,
      compiledClassHashOf: notHere,
      executableClass: notHere,
    });
  }
}

function notHere(): never {
  throw new OriginError(ORIGIN_NOT_HERE, "this thread does not wait for the fork's origin", true);
}
