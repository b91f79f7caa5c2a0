import { undeclaredText } from "../call/errors.ts";
import { emitEvent, sendMessageToL1 } from "../syscall-base/emissions.ts";
import { fatal } from "../syscall-base/failure.ts";
import { readStorage, writeStorage } from "../syscall-base/storage.ts";
import type { DeprecatedSyscall } from "./handler.ts";
import { answer } from "./reply.ts";

/** `storage_read(key) -> value`. */
const storageRead: DeprecatedSyscall = {
  name: "StorageRead",
  prepare(frame, cursor) {
    const key = cursor.key();
    return () => answer(readStorage(frame, key));
  },
};

/** `storage_write(key, value)`. */
const storageWrite: DeprecatedSyscall = {
  name: "StorageWrite",
  prepare(frame, cursor) {
    const key = cursor.key();
    const value = cursor.felt();
    return () => {
      writeStorage(frame, key, value);
      return answer();
    };
  },
};

/** `replace_class(class_hash)`. */
const replaceClass: DeprecatedSyscall = {
  name: "ReplaceClass",
  prepare({ context, record }, cursor) {
    const classHash = cursor.felt();
    return () => {
      if (context.state.executableClass(classHash) === undefined) {
        return fatal(undeclaredText(classHash));
      }
      context.state.setClassHash(record.contractAddress, classHash);
      return answer();
    };
  },
};

/** `emit_event(keys, data)`. */
const emitEventSyscall: DeprecatedSyscall = {
  name: "EmitEvent",
  prepare(frame, cursor) {
    const keys = cursor.sizedArray();
    const data = cursor.sizedArray();
    return () => emitEvent(frame, keys, data) ?? answer();
  },
};

/** `send_message_to_l1(to_address, payload)`. */
const sendMessageToL1Syscall: DeprecatedSyscall = {
  name: "SendMessageToL1",
  prepare(frame, cursor) {
    const toAddress = cursor.felt();
    const payload = cursor.sizedArray();
    return () => sendMessageToL1(frame, toAddress, payload) ?? answer();
  },
};

/** Syscalls that access the state or emit events and messages. */
export const STATE_SYSCALLS: readonly DeprecatedSyscall[] = [
  storageRead,
  storageWrite,
  replaceClass,
  emitEventSyscall,
  sendMessageToL1Syscall,
];
