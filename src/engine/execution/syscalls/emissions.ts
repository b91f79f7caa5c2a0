import { emitEvent, sendMessageToL1 } from "../syscall-base/emissions.ts";
import type { SyscallHandler } from "./handler.ts";
import { ok } from "./reply.ts";

/** `emit_event(keys, data)`. */
const emitEventSyscall: SyscallHandler = {
  name: "EmitEvent",
  prepare(frame, cursor) {
    const keys = cursor.list();
    const data = cursor.list();
    return {
      linear: 0,
      run(gas) {
        return emitEvent(frame, keys, data) ?? ok(gas);
      },
    };
  },
};

/** `send_message_to_l1(to_address, payload)`. */
const sendMessageToL1Syscall: SyscallHandler = {
  name: "SendMessageToL1",
  prepare(frame, cursor) {
    const toAddress = cursor.felt();
    const payload = cursor.list();
    return {
      linear: payload.length,
      run(gas) {
        return sendMessageToL1(frame, toAddress, payload) ?? ok(gas);
      },
    };
  },
};

/** Syscalls that emit events or messages. */
export const EMISSION_SYSCALLS: readonly SyscallHandler[] = [
  emitEventSyscall,
  sendMessageToL1Syscall,
];
