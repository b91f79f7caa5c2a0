import type { SyscallOutcome } from "#engine/cairo/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { SyscallError } from "../call/errors.ts";
import type { CallExecutor } from "../call/executor.ts";
import type { CallRecord } from "../call/record.ts";

/** Text that the machine reports when a syscall ended the transaction; never shown. */
const FATAL = "A syscall has failed.";

/** One running call as the syscalls of both kinds of code see it. */
export class SyscallFrame {
  readonly context: ExecutionContext;
  /** What the call does is collected here. */
  readonly record: CallRecord;
  /** Makes inner calls. */
  readonly executor: CallExecutor;
  /** Why a syscall ended the transaction; the machine only knows that one did. */
  fatal: SyscallError | undefined;

  constructor(context: ExecutionContext, record: CallRecord, executor: CallExecutor) {
    this.context = context;
    this.record = record;
    this.executor = executor;
  }

  /** Ends the transaction. */
  protected end(error: SyscallError): SyscallOutcome {
    this.fatal = error;
    return { kind: "fatal", message: FATAL };
  }
}
