import { paddedHexFromFelt } from "#base/primitives/index.ts";
import type { Cursor } from "./cursor.ts";
import { fatal, forbiddenInValidate, ok, type SyscallHandler } from "./reply.ts";

/** Reads the address domain, of which only 0 exists. */
function readDomain(cursor: Cursor): void {
  const domain = cursor.felt();
  if (domain !== 0n) cursor.reject(`Invalid address domain: ${domain}.`);
}

/** `storage_read(domain, key) -> value`. */
export const storageRead: SyscallHandler = {
  name: "StorageRead",
  prepare({ context, record }, cursor) {
    readDomain(cursor);
    const key = cursor.key();
    return {
      linear: 0,
      run(gas) {
        record.accessedStorageKeys.add(key);
        const value = context.state.storageAt(record.contractAddress, key);
        record.storageReadValues.push(value);
        return ok(gas, [value]);
      },
    };
  },
};

/** `storage_write(domain, key, value)`. */
export const storageWrite: SyscallHandler = {
  name: "StorageWrite",
  prepare({ context, record }, cursor) {
    readDomain(cursor);
    const key = cursor.key();
    const value = cursor.felt();
    return {
      linear: 0,
      run(gas) {
        record.accessedStorageKeys.add(key);
        context.state.setStorage(record.contractAddress, key, value);
        return ok(gas);
      },
    };
  },
};

/** `get_class_hash_at(address) -> class_hash`; 0 when nothing is deployed there. */
export const getClassHashAt: SyscallHandler = {
  name: "GetClassHashAt",
  prepare({ context, record }, cursor) {
    const address = cursor.key();
    return {
      linear: 0,
      run(gas) {
        if (context.mode === "validate") return forbiddenInValidate("get_class_hash_at");
        const classHash = context.state.classHashAt(address);
        record.addClassHashRead(address, classHash);
        return ok(gas, [classHash]);
      },
    };
  },
};

/** `replace_class(class_hash)`: from the next call on the contract has the other class. */
export const replaceClass: SyscallHandler = {
  name: "ReplaceClass",
  prepare({ context, record }, cursor) {
    const classHash = cursor.felt();
    return {
      linear: 0,
      run(gas) {
        const executable = context.state.executableClass(classHash);
        if (executable === undefined) {
          return fatal(`Class with hash ${paddedHexFromFelt(classHash)} is not declared.`);
        }
        if (executable.casm === null) {
          return fatal(`Cannot replace V1 class hash with V0 class hash: ${classHash}.`);
        }
        context.state.setClassHash(record.contractAddress, classHash);
        return ok(gas);
      },
    };
  },
};
