import type { SyscallName } from "#protocol/versions/index.ts";
import type { SyscallCursor } from "./cursor.ts";
import type { CallFrame } from "./frame.ts";
import type { SyscallReply } from "./reply.ts";

/** A syscall whose request was read. */
export interface PreparedSyscall {
  /** Length that its cost grows with. */
  readonly linear: number;
  /** @param gas - what is left after the syscall's own cost */
  run(gas: number): SyscallReply;
}

/** One syscall of Cairo 1. */
export interface SyscallHandler {
  readonly name: SyscallName;
  /** Reads the request; errors are left in the cursor. */
  prepare(frame: CallFrame, cursor: SyscallCursor): PreparedSyscall;
}
