import type {
  MaybeRelocatable,
  Relocatable,
  SyscallHost,
  SyscallOutcome,
  VmMemory,
} from "#engine/cairo/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import { FeltBlock, type Felts, withFelt } from "#kernels/vm/index.ts";
import { shortStringFromFelt } from "#base/primitives/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { SyscallError } from "../call/errors.ts";
import type { CallExecutor } from "../call/executor.ts";
import { ENTRYPOINT_FAILED, OUT_OF_GAS } from "../call/felts.ts";
import { countSyscall, dropEmissions } from "../call/memory.ts";
import type { CallRecord } from "../call/record.ts";
import type { CallRequest } from "../call/request.ts";
import { Cursor } from "./cursor.ts";
import { fatal, type SyscallReply } from "./reply.ts";
import { SecpPoints } from "./secp-points.ts";
import { handlerOf } from "./table.ts";

/** Text that the machine reports when a syscall ended the transaction; never shown. */
const FATAL = "A syscall has failed.";

/** How an inner call ended for the contract that made it. */
export type InnerCallResult =
  | { readonly kind: "ok"; readonly gas: number; readonly record: CallRecord }
  | { readonly kind: "revert"; readonly gas: number; readonly data: Felts }
  | { readonly kind: "fatal"; readonly error: SyscallError };

/** One running call: serves its syscalls and collects what they do. */
export class CallFrame implements SyscallHost {
  readonly context: ExecutionContext;
  readonly record: CallRecord;
  readonly executor: CallExecutor;
  /** Why a syscall ended the transaction; the machine only knows that one did. */
  fatal: SyscallError | undefined;
  /** Where `get_execution_info` wrote its answer, which stays the same during a call. */
  executionInfo: Relocatable | undefined;
  /** Ends of the states that `sha256_process_block` and `sha512_process_block` wrote. */
  sha256End: Relocatable | undefined;
  sha512End: Relocatable | undefined;
  /** Points of the secp syscalls. */
  readonly points = new SecpPoints();

  constructor(context: ExecutionContext, record: CallRecord, executor: CallExecutor) {
    this.context = context;
    this.record = record;
    this.executor = executor;
  }

  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome {
    const cursor = new Cursor(memory, frame);
    const reply = this.#execute(cursor);
    if (reply.kind === "fatal") {
      this.fatal = reply.error;
      return { kind: "fatal", message: FATAL };
    }
    if (this.#respond(cursor, reply)) return { kind: "done", nextPtr: cursor.position() };
    this.fatal = { kind: "message", message: "Inconsistent memory assignment in a syscall." };
    return { kind: "fatal", message: FATAL };
  }

  #execute(cursor: Cursor): SyscallReply {
    const { context, record } = this;
    const selector = cursor.felt();
    if (cursor.error !== undefined) return fatal(cursor.error);
    const handler = handlerOf(selector);
    if (handler === undefined) {
      const name = shortStringFromFelt(selector).replaceAll(/[^\x20-\x7e]/g, "?");
      return fatal(`The syscall ${name} is not supported yet.`);
    }
    // What keccak costs is counted in rounds, which are known only when it runs.
    if (handler.name !== "Keccak") record.count(handler.name, 1, 0);
    countSyscall(context, handler.name);
    const gasCounter = cursor.felt();
    if (gasCounter >= 1n << 64n) cursor.reject("Unexpected gas.");
    const prepared = handler.prepare(this, cursor);
    if (cursor.error !== undefined) return fatal(cursor.error);
    const gas = Number(gasCounter);
    const cost = this.#cost(handler.name, prepared.linear);
    if (gas < cost) return { kind: "revert", gas, data: [OUT_OF_GAS] };
    const remaining = gas - cost;
    if (record.trackedResource === "sierra_gas") context.lastSeenGas = remaining;
    return prepared.run(remaining);
  }

  #cost(name: SyscallName, linear: number): number {
    const cost = this.context.numbers.syscalls[name];
    return cost.base + cost.linear * linear;
  }

  #respond(cursor: Cursor, reply: Exclude<SyscallReply, { kind: "fatal" }>): boolean {
    const { memory } = cursor;
    let failure: Relocatable | undefined;
    if (reply.kind === "revert") {
      failure = memory.addSegment();
      if (!memory.writeFelts(failure, reply.data)) return false;
    }
    const put = (value: MaybeRelocatable): boolean => {
      const written = memory.write(cursor.position(), value);
      cursor.offset++;
      return written;
    };
    if (!put(BigInt(reply.gas))) return false;
    if (reply.kind === "ok") return put(0n) && reply.values.every(put);
    const start = failure as Relocatable;
    const end = advance(start, reply.data.length);
    if (reply.data instanceof FeltBlock) reply.data.release();
    return put(1n) && put(start) && put(end);
  }

  /** Makes a call and takes back what it did when it failed. */
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

function advance(address: Relocatable, length: number): Relocatable {
  return { segment: address.segment, offset: address.offset + length };
}
