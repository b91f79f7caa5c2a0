import type { SyscallName } from "#protocol/versions/index.ts";
import type { DeprecatedCursor } from "./cursor.ts";
import type { DeprecatedCallFrame } from "./frame.ts";
import type { DeprecatedReply } from "./reply.ts";

/** Syscall of Cairo 0. It uses no gas, and contracts cannot handle its failures. */
export interface DeprecatedSyscall {
  readonly name: SyscallName;
  /** Reads the request, leaving errors in the cursor, and returns the function that executes it. */
  prepare(frame: DeprecatedCallFrame, cursor: DeprecatedCursor): () => DeprecatedReply;
}
