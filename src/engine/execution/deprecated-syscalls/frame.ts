import type { Relocatable, VmMemory } from "#engine/cairo/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { dropResult } from "../call/memory.ts";
import type { CallRequest } from "../call/request.ts";
import { failedCall } from "../syscall-base/calls.ts";
import { SyscallFrame } from "../syscall-base/frame.ts";
import { answer, type DeprecatedReply } from "./reply.ts";

/** Running call of Cairo 0 code. */
export class DeprecatedCallFrame extends SyscallFrame {
  /** Addresses of the signature and the transaction info; written once per call. */
  signature: Relocatable | undefined;
  transactionInfo: Relocatable | undefined;

  /** Executes a call whose failure ends the transaction. @returns size and start of its return data */
  innerCall(memory: VmMemory, request: CallRequest, classHash: Felt): DeprecatedReply {
    const { context, record } = this;
    const result = this.executor.strictCall(context, request, record.trackedResource);
    if (result.kind === "error") {
      return failedCall(request, classHash, { kind: "entry_point", error: result.error });
    }
    const retdata = result.record.result;
    const start = memory.addReadOnlySegment(retdata);
    const { length } = retdata;
    dropResult(context, result.record);
    record.innerCalls.push(result.record);
    return answer(BigInt(length), start);
  }
}
