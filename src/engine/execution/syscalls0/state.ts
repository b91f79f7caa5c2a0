import { paddedHexFromFelt } from "#base/primitives/index.ts";
import { countEmission } from "../call/memory.ts";
import { eventLimitProblem, isEthAddress } from "../syscalls/emissions.ts";
import { abort, answer, type LegacySyscall } from "./reply.ts";

/** `storage_read(key) -> value`. */
const storageRead: LegacySyscall = {
  name: "StorageRead",
  prepare({ context, record }, cursor) {
    const key = cursor.key();
    return () => {
      record.accessedStorageKeys.add(key);
      const value = context.state.storageAt(record.contractAddress, key);
      record.storageReadValues.push(value);
      return answer(value);
    };
  },
};

/** `storage_write(key, value)`. */
const storageWrite: LegacySyscall = {
  name: "StorageWrite",
  prepare({ context, record }, cursor) {
    const key = cursor.key();
    const value = cursor.felt();
    return () => {
      record.accessedStorageKeys.add(key);
      context.state.setStorage(record.contractAddress, key, value);
      return answer();
    };
  },
};

/** `replace_class(class_hash)`. */
const replaceClass: LegacySyscall = {
  name: "ReplaceClass",
  prepare({ context, record }, cursor) {
    const classHash = cursor.felt();
    return () => {
      if (context.state.executableClass(classHash) === undefined) {
        return abort(`Class with hash ${paddedHexFromFelt(classHash)} is not declared.`);
      }
      context.state.setClassHash(record.contractAddress, classHash);
      return answer();
    };
  },
};

/** `emit_event(keys, data)`. */
const emitEvent: LegacySyscall = {
  name: "EmitEvent",
  prepare({ context, record }, cursor) {
    const keys = cursor.sizedArray();
    const data = cursor.sizedArray();
    return () => {
      const problem = eventLimitProblem(context, keys, data);
      if (problem !== undefined) return abort(problem);
      countEmission(context, record, keys, data);
      const order = context.eventCount++;
      record.events.push({ order, keys: keys.toArray(), data: data.toArray() });
      return answer();
    };
  },
};

/** `send_message_to_l1(to_address, payload)`. */
const sendMessageToL1: LegacySyscall = {
  name: "SendMessageToL1",
  prepare({ context, record }, cursor) {
    const toAddress = cursor.felt();
    const payload = cursor.sizedArray();
    return () => {
      if (!isEthAddress(toAddress)) return abort(`Out of range ${toAddress}.`);
      record.count("SendMessageToL1", 0, payload.length);
      countEmission(context, record, payload);
      const order = context.messageCount++;
      record.messages.push({ order, toAddress, payload: payload.toArray() });
      return answer();
    };
  },
};

/** Syscalls that read or change the state, or emit something. */
export const STATE_SYSCALLS: readonly LegacySyscall[] = [
  storageRead,
  storageWrite,
  replaceClass,
  emitEvent,
  sendMessageToL1,
];
