import type { SyscallName } from "#protocol/versions/index.ts";
import type { DeprecatedCursor } from "./cursor.ts";
import type { DeprecatedCallFrame } from "./frame.ts";
import type { DeprecatedReply } from "./reply.ts";

/** One syscall of Cairo 0. There is no gas and no failure that the contract could handle. */
export interface DeprecatedSyscall {
  readonly name: SyscallName;
  /** Reads the request, which leaves errors in the cursor, and returns what executes it. */
  prepare(frame: DeprecatedCallFrame, cursor: DeprecatedCursor): () => DeprecatedReply;
}
