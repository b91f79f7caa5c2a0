import type { Felt } from "#base/primitives/index.ts";
import { createIntegrityReader, fileIdentity, openDatabase } from "#io/storage/index.ts";
import { checkChain, type CheckOptions, type CheckResult } from "#services/maintenance/index.ts";
import { TRUE_CHAIN_ID } from "./true-chain.ts";

/** Checks the database of a valid chain that no other process uses. */
export async function checkFolder(
  path: string,
  publicKey: Felt | null,
  options: Partial<CheckOptions> = {},
): Promise<CheckResult> {
  const handle = await openDatabase({
    path,
    chainId: fileIdentity(path).chainId,
    mode: "reader",
    durability: "normal",
  });
  try {
    return await checkChain(createIntegrityReader(handle), {
      from: null,
      to: null,
      publicKey,
      recompile: null,
      isFork: false,
      otherChainIds: [{ file: "mempool.db", chainId: TRUE_CHAIN_ID }],
      signal: new AbortController().signal,
      nowMs: () => performance.now(),
      pause: () => Promise.resolve(),
      onProgress: () => undefined,
      ...options,
    });
  } finally {
    handle.close();
  }
}
