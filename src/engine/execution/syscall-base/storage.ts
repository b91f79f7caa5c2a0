import type { Felt } from "#base/primitives/index.ts";
import type { SyscallFrame } from "./frame.ts";

/** Reads a storage cell of the running contract. */
export function readStorage({ context, record }: SyscallFrame, key: Felt): Felt {
  record.accessedStorageKeys.add(key);
  const value = context.state.storageAt(record.contractAddress, key);
  record.storageReadValues.push(value);
  return value;
}

/** Writes a storage cell of the running contract. */
export function writeStorage({ context, record }: SyscallFrame, key: Felt, value: Felt): void {
  record.accessedStorageKeys.add(key);
  context.state.setStorage(record.contractAddress, key, value);
}
