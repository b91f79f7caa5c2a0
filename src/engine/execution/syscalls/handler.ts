import type { SyscallName } from "#protocol/versions/index.ts";
import type { SyscallCursor } from "./cursor.ts";
import type { CallFrame } from "./frame.ts";
import type { SyscallReply } from "./reply.ts";

/** Syscall whose request has been read. */
export interface PreparedSyscall {
  /** Length on which the cost depends. */
  readonly linear: number;
  /** @param gas - gas left after the syscall's own cost */
  run(gas: number): SyscallReply;
}

/** Handler of one syscall of Cairo 1. */
export interface SyscallHandler {
  readonly name: SyscallName;
  /** Reads the request, leaving errors in the cursor. */
  prepare(frame: CallFrame, cursor: SyscallCursor): PreparedSyscall;
}
