import type { Relocatable, SyscallHost, SyscallOutcome, VmMemory } from "#engine/cairo/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { countSyscall } from "../call/memory.ts";
import { fatal } from "../syscall-base/failure.ts";
import { DeprecatedCursor } from "./cursor.ts";
import { DeprecatedCallFrame } from "./frame.ts";
import type { DeprecatedReply } from "./reply.ts";
import { deprecatedSyscallOf } from "./table.ts";

/** Serves the syscalls of one running call of Cairo 0 code. */
export class DeprecatedCallHost extends DeprecatedCallFrame implements SyscallHost {
  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome {
    const cursor = new DeprecatedCursor(memory, frame);
    const reply = this.#execute(cursor);
    if (reply.kind === "fatal") return this.end(reply.error);
    for (const value of reply.values) {
      const at = cursor.position();
      if (!memory.write(at, value)) {
        return this.end({ kind: "message", message: conflictText(memory, at, value) });
      }
      cursor.offset++;
    }
    return { kind: "done", nextPtr: cursor.position() };
  }

  #execute(cursor: DeprecatedCursor): DeprecatedReply {
    const selector = cursor.felt();
    if (cursor.error !== undefined) return fatal(cursor.error);
    const handler = deprecatedSyscallOf(selector);
    if (handler === undefined) return fatal(`Invalid syscall selector: ${hexFromFelt(selector)}.`);
    this.record.count(handler.name, 1, 0);
    countSyscall(this.context, handler.name);
    const execute = handler.prepare(this, cursor);
    return cursor.error === undefined ? execute() : fatal(cursor.error);
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
