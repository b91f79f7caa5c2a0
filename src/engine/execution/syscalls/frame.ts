import type { Relocatable, VmMemory } from "#engine/cairo/index.ts";
import { type Felts, withFelt } from "#kernels/vm/index.ts";
import type { SyscallError } from "../call/errors.ts";
import { ENTRYPOINT_FAILED } from "../call/felts.ts";
import { dropEmissions } from "../call/memory.ts";
import type { CallRecord } from "../call/record.ts";
import type { CallRequest } from "../call/request.ts";
import { SyscallFrame } from "../syscall-base/frame.ts";
import { SecpPoints } from "./secp-points.ts";

/** How an inner call ended for the contract that made it. */
export type InnerCallResult =
  | { readonly kind: "ok"; readonly gas: number; readonly record: CallRecord }
  | { readonly kind: "revert"; readonly gas: number; readonly data: Felts }
  | { readonly kind: "fatal"; readonly error: SyscallError };

/** One running call of Cairo 1 code. */
export class CallFrame extends SyscallFrame {
  /** Where `get_execution_info` wrote its answer, which stays the same during a call. */
  executionInfo: Relocatable | undefined;
  /** Ends of the states that `sha256_process_block` and `sha512_process_block` wrote. */
  sha256End: Relocatable | undefined;
  sha512End: Relocatable | undefined;
  /** Points of the secp syscalls. */
  readonly points = new SecpPoints();

  /** Makes a call and reverts what it did when it failed. */
  innerCall(request: CallRequest): InnerCallResult {
    const { context, record } = this;
    const { state, eventCount, messageCount } = context;
    const checkpoint = state.checkpoint();
    const result = this.executor.call(context, request, record.trackedResource);
    if (result.kind === "error") {
      return { kind: "fatal", error: { kind: "entry_point", error: result.error } };
    }
    const inner = result.record;
    record.innerCalls.push(inner);
    const gas = request.initialGas - Number(inner.gasConsumed);
    if (!inner.failed) return { kind: "ok", gas, record: inner };
    state.revertTo(checkpoint);
    context.eventCount = eventCount;
    context.messageCount = messageCount;
    dropEmissions(context, inner);
    return { kind: "revert", gas, data: withFelt(inner.result, ENTRYPOINT_FAILED) };
  }

  /** Writes values that the contract must not extend. @returns start and end */
  readOnly(memory: VmMemory, values: Felts): readonly [Relocatable, Relocatable] {
    const start = memory.addReadOnlySegment(values);
    return [start, advance(start, values.length)];
  }
}

/** The address `length` cells further. */
export function advance(address: Relocatable, length: number): Relocatable {
  return { segment: address.segment, offset: address.offset + length };
}
