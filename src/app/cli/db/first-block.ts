import type { StoredChainReader } from "#io/storage/index.ts";

/** Reason why the first block of a stored chain is not block 0. */
export async function laterStartText(chain: StoredChainReader): Promise<string> {
  const { forkBlockText, forkOfChain } = await import("#app/node/index.ts");
  const fork = forkOfChain(chain);
  if (fork === undefined) return "the chain was made from a snapshot";
  return `the chain continues ${forkBlockText(fork)}`;
}
