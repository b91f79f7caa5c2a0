import { hexFromFelt } from "#base/primitives/index.ts";
import type { RemoteReads } from "#io/client/index.ts";
import { differ, requireSame } from "./difference.ts";
import type { ProvenState } from "./proven-state.ts";

/**
 * Compares the values that a trace reports as read with the proven ones.
 *
 * @throws {DifferenceFound} at the first value that differs
 */
export function checkReads(reads: RemoteReads, proven: ProvenState): void {
  for (const [address, cells] of reads.storage) {
    const { storage } = proven.contracts.get(address) ?? absent(address);
    for (const [key, value] of cells) {
      const field = `initial_reads.storage ${hexFromFelt(key)} of ${hexFromFelt(address)}`;
      requireSame(field, storage.get(key), value);
    }
  }
  for (const [address, nonce] of reads.nonces) {
    const field = `initial_reads.nonces of ${hexFromFelt(address)}`;
    requireSame(field, (proven.contracts.get(address) ?? absent(address)).nonce, nonce);
  }
  for (const [address, classHash] of reads.classHashes) {
    const field = `initial_reads.class_hashes of ${hexFromFelt(address)}`;
    requireSame(field, (proven.contracts.get(address) ?? absent(address)).classHash, classHash);
  }
  for (const [classHash, isDeclared] of reads.declared) {
    if (isDeclared || (proven.classLeaves.get(classHash) ?? 0n) === 0n) continue;
    const field = `initial_reads.declared_contracts of ${hexFromFelt(classHash)}`;
    differ(field, "it is in the classes trie", "it is not declared");
  }
}

function absent(address: bigint): never {
  return differ(`proof of ${hexFromFelt(address)}`, "a proof", "none");
}
