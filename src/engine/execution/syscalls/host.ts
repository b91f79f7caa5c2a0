import type {
  MaybeRelocatable,
  Relocatable,
  SyscallHost,
  SyscallOutcome,
  VmMemory,
} from "#engine/cairo/index.ts";
import { FeltBlock } from "#kernels/vm/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import { OUT_OF_GAS } from "../call/felts.ts";
import { countSyscall } from "../call/memory.ts";
import { fatal, invalidInputText } from "../syscall-base/failure.ts";
import { SyscallCursor } from "./cursor.ts";
import { advance, CallFrame } from "./frame.ts";
import type { SyscallReply } from "./reply.ts";
import { handlerOf, unknownText } from "./table.ts";

/** Serves the syscalls of one running call of Cairo 1 code. */
export class CallHost extends CallFrame implements SyscallHost {
  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome {
    const cursor = new SyscallCursor(memory, frame);
    const reply = this.#execute(cursor);
    if (reply.kind === "fatal") return this.end(reply.error);
    if (this.#respond(cursor, reply)) return { kind: "done", nextPtr: cursor.position() };
    return this.end({ kind: "message", message: "Inconsistent memory assignment in a syscall." });
  }

  #execute(cursor: SyscallCursor): SyscallReply {
    const { context, record } = this;
    const selector = cursor.felt();
    if (cursor.error !== undefined) return fatal(cursor.error);
    const handler = handlerOf(selector);
    if (handler === undefined) return fatal(unknownText(selector));
    // The cost of keccak is counted in rounds, which are known only when it runs.
    if (handler.name !== "Keccak") record.count(handler.name, 1, 0);
    countSyscall(context, handler.name);
    const gasCounter = cursor.felt();
    if (gasCounter >= 1n << 64n) cursor.reject(invalidInputText(gasCounter, "Unexpected gas."));
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

  #respond(cursor: SyscallCursor, reply: Exclude<SyscallReply, { kind: "fatal" }>): boolean {
    const { memory } = cursor;
    const values: MaybeRelocatable[] = [BigInt(reply.gas)];
    if (reply.kind === "ok") values.push(0n, ...reply.values);
    else {
      const { data } = reply;
      const start = memory.addSegment();
      if (!memory.writeFelts(start, data)) return false;
      values.push(1n, start, advance(start, data.length));
      if (data instanceof FeltBlock) data.release();
    }
    if (!memory.writeMany(cursor.position(), values)) return false;
    cursor.offset += values.length;
    return true;
  }
}
