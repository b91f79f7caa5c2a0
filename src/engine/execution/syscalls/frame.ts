import type { Relocatable, VmMemory } from "#engine/cairo/index.ts";
import { type Felts, withFelt } from "#kernels/vm/index.ts";
import type { SyscallError } from "../call/errors.ts";
import { ENTRYPOINT_FAILED } from "../call/felts.ts";
import { dropEmissions } from "../call/memory.ts";
import type { CallRecord } from "../call/record.ts";
import type { CallRequest } from "../call/request.ts";
import { SyscallFrame } from "../syscall-base/frame.ts";
import { SecpPoints } from "./secp-points.ts";

/** Result of an inner call for the calling contract. */
export type InnerCallResult =
  | { readonly kind: "ok"; readonly gas: number; readonly record: CallRecord }
  | { readonly kind: "revert"; readonly gas: number; readonly data: Felts }
  | { readonly kind: "fatal"; readonly error: SyscallError };

/** Running call of Cairo 1 code. */
export class CallFrame extends SyscallFrame {
  /** Address of the result of `get_execution_info`; written once per call. */
  executionInfo: Relocatable | undefined;
  /** Ends of the states written by `sha256_process_block` and `sha512_process_block`. */
  sha256End: Relocatable | undefined;
  sha512End: Relocatable | undefined;
  readonly points = new SecpPoints();

  /** Executes an inner call and reverts its effects if it failed. */
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

  /** Writes values to a segment that the contract must not extend. @returns start and end */
  readOnly(memory: VmMemory, values: Felts): readonly [Relocatable, Relocatable] {
    const start = memory.addReadOnlySegment(values);
    return [start, advance(start, values.length)];
  }
}

/** Address plus `length` cells. */
export function advance(address: Relocatable, length: number): Relocatable {
  return { segment: address.segment, offset: address.offset + length };
}
