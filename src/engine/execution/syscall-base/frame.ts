import type { SyscallOutcome } from "#engine/cairo/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { SyscallError } from "../call/errors.ts";
import type { CallExecutor } from "../call/executor.ts";
import type { CallRecord } from "../call/record.ts";

/** Text that the machine reports when a syscall ended the transaction; never shown. */
const FATAL = "A syscall has failed.";

/** Running call, as seen by the syscalls of Cairo 0 and Cairo 1 code. */
export class SyscallFrame {
  readonly context: ExecutionContext;
  /** Collects the call's effects. */
  readonly record: CallRecord;
  readonly executor: CallExecutor;
  /** Error of the syscall that ended the transaction; the machine only records that one failed. */
  fatal: SyscallError | undefined;

  constructor(context: ExecutionContext, record: CallRecord, executor: CallExecutor) {
    this.context = context;
    this.record = record;
    this.executor = executor;
  }

  protected end(error: SyscallError): SyscallOutcome {
    this.fatal = error;
    return { kind: "fatal", message: FATAL };
  }
}
