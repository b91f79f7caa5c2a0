import type { Relocatable, SyscallHost, SyscallOutcome, VmMemory } from "#engine/cairo/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { SyscallError } from "../call/errors.ts";
import type { CallExecutor } from "../call/executor.ts";
import { countSyscall, dropResult } from "../call/memory.ts";
import type { CallRecord } from "../call/record.ts";
import type { CallRequest } from "../call/request.ts";
import { LegacyCursor } from "./cursor.ts";
import { abort, answer, type LegacyReply } from "./reply.ts";
import { legacySyscallOf } from "./table.ts";

/** Text that the machine reports when a syscall ended the transaction; never shown. */
const FATAL = "A syscall has failed.";

/** One running Cairo 0 call: serves its syscalls and collects what they do. */
export class LegacyCallFrame implements SyscallHost {
  readonly context: ExecutionContext;
  readonly record: CallRecord;
  readonly executor: CallExecutor;
  /** Why a syscall ended the transaction; the machine only knows that one did. */
  fatal: SyscallError | undefined;
  /** Where the signature and the transaction's info were written; they stay during a call. */
  signature: Relocatable | undefined;
  transactionInfo: Relocatable | undefined;

  constructor(context: ExecutionContext, record: CallRecord, executor: CallExecutor) {
    this.context = context;
    this.record = record;
    this.executor = executor;
  }

  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome {
    const cursor = new LegacyCursor(memory, frame);
    const reply = this.#execute(cursor);
    if (reply.kind === "fatal") {
      this.fatal = reply.error;
      return { kind: "fatal", message: FATAL };
    }
    for (const value of reply.values) {
      const at = cursor.position();
      if (!memory.write(at, value)) {
        const message = conflictText(memory, at, value);
        this.fatal = { kind: "message", message };
        return { kind: "fatal", message: FATAL };
      }
      cursor.offset++;
    }
    return { kind: "done", nextPtr: cursor.position() };
  }

  #execute(cursor: LegacyCursor): LegacyReply {
    const selector = cursor.felt();
    if (cursor.error !== undefined) return abort(cursor.error);
    const handler = legacySyscallOf(selector);
    if (handler === undefined) return abort(`Invalid syscall selector: ${hexFromFelt(selector)}.`);
    this.record.count(handler.name, 1, 0);
    countSyscall(this.context, handler.name);
    const execute = handler.prepare(this, cursor);
    return cursor.error === undefined ? execute() : abort(cursor.error);
  }

  /** Makes a call whose failure ends the transaction. @returns size and start of its return data */
  innerCall(memory: VmMemory, request: CallRequest, classHash: Felt): LegacyReply {
    const { context, record } = this;
    const result = this.executor.strictCall(context, request, record.trackedResource);
    if (result.kind === "error") {
      return {
        kind: "fatal",
        error: {
          kind: "call",
          isLibraryCall: request.callType === "DELEGATE",
          contractAddress: request.contractAddress,
          classHash,
          selector: request.selector,
          error: { kind: "entry_point", error: result.error },
        },
      };
    }
    const retdata = result.record.result;
    const start = memory.addReadOnlySegment(retdata);
    const { length } = retdata;
    dropResult(context, result.record);
    record.innerCalls.push(result.record);
    return answer(BigInt(length), start);
  }
}

function conflictText(memory: VmMemory, at: Relocatable, value: Felt | Relocatable): string {
  const address = `Relocatable { segment_index: ${at.segment}, offset: ${at.offset} }`;
  const found = memory.read(at);
  const text = found === undefined ? "None" : debugText(found);
  return `Inconsistent memory assignment at address ${address}. ${text} != ${debugText(value)}`;
}

function debugText(value: Felt | Relocatable): string {
  return typeof value === "bigint"
    ? `Int(${value})`
    : `RelocatableValue(Relocatable { segment_index: ${value.segment}, offset: ${value.offset} })`;
}
