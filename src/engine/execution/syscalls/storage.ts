import { undeclaredText } from "../call/errors.ts";
import type { Cursor } from "../syscall-base/cursor.ts";
import { fatal, forbiddenInValidation } from "../syscall-base/failure.ts";
import { readStorage, writeStorage } from "../syscall-base/storage.ts";
import type { SyscallHandler } from "./handler.ts";
import { ok } from "./reply.ts";

/** Reads the address domain; only 0 is valid. */
function readDomain(cursor: Cursor): void {
  const domain = cursor.felt();
  if (domain !== 0n) cursor.reject(`Invalid address domain: ${domain}.`);
}

/** `storage_read(domain, key) -> value`. */
const storageRead: SyscallHandler = {
  name: "StorageRead",
  prepare(frame, cursor) {
    readDomain(cursor);
    const key = cursor.key();
    return {
      linear: 0,
      run(gas) {
        return ok(gas, [readStorage(frame, key)]);
      },
    };
  },
};

/** `storage_write(domain, key, value)`. */
const storageWrite: SyscallHandler = {
  name: "StorageWrite",
  prepare(frame, cursor) {
    readDomain(cursor);
    const key = cursor.key();
    const value = cursor.felt();
    return {
      linear: 0,
      run(gas) {
        writeStorage(frame, key, value);
        return ok(gas);
      },
    };
  },
};

/** `get_class_hash_at(address) -> class_hash`; 0 when no contract is deployed there. */
const getClassHashAt: SyscallHandler = {
  name: "GetClassHashAt",
  prepare({ context, record }, cursor) {
    const address = cursor.key();
    return {
      linear: 0,
      run(gas) {
        if (context.mode === "validate") return forbiddenInValidation("get_class_hash_at");
        const classHash = context.state.classHashAt(address);
        record.addClassHashRead(address, classHash);
        return ok(gas, [classHash]);
      },
    };
  },
};

/** `replace_class(class_hash)`: changes the contract's class from the next call on. */
const replaceClass: SyscallHandler = {
  name: "ReplaceClass",
  prepare({ context, record }, cursor) {
    const classHash = cursor.felt();
    return {
      linear: 0,
      run(gas) {
        const executable = context.state.executableClass(classHash);
        if (executable === undefined) return fatal(undeclaredText(classHash));
        if (executable.casm === null) {
          return fatal(`Cannot replace V1 class hash with V0 class hash: ${classHash}.`);
        }
        context.state.setClassHash(record.contractAddress, classHash);
        return ok(gas);
      },
    };
  },
};

/** Syscalls that read or change the state. */
export const STATE_SYSCALLS: readonly SyscallHandler[] = [
  storageRead,
  storageWrite,
  getClassHashAt,
  replaceClass,
];
