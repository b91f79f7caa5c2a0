import { StorageError } from "#base/errors/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { type BlockId, resolveBlock } from "../block-id.ts";
import type { RpcContext } from "../context.ts";
import { ProvenState } from "./proven-state.ts";

/** How a request ends that gets no proofs. */
export interface ProofRefusals {
  /** There is no such accepted block. */
  notFound(): never;
  /** @param reason - names the oldest block whose proofs are kept */
  notKept(reason: string): never;
}

/**
 * Proves something of the state after an accepted block.
 *
 * Rows are read one by one, and another thread may prune or unwind meanwhile. A trie whose root went
 * away reads as an empty one, so that proofs count only when the block is still there, with its
 * tries, after the last of them was read.
 *
 * @param prove - called once; everything that it reads belongs to one block
 * @throws {StorageError} when a row of a kept trie is missing or damaged
 */
export function proveAt<T>(
  context: RpcContext,
  id: BlockId,
  refusals: ProofRefusals,
  prove: (state: ProvenState, header: BlockHeader) => T,
): T {
  const { chain } = context;
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted") return refusals.notFound();
  const header = chain.header(block.number) ?? refusals.notFound();
  requireKept(chain, header, refusals);
  const state = new ProvenState(context, block.number);
  let proven: T;
  try {
    proven = prove(state, header);
  } catch (error) {
    if (error instanceof StorageError) requireKept(chain, header, refusals);
    throw error;
  }
  requireKept(chain, header, refusals);
  return proven;
}

/** Ends the request unless the block is accepted and all that its proofs are made of is kept. */
function requireKept(chain: ChainReader, header: BlockHeader, refusals: ProofRefusals): void {
  if (chain.header(header.number)?.hash !== header.hash) refusals.notFound();
  const oldest = oldestProvenBlock(chain);
  if (header.number < oldest) {
    refusals.notKept(`proofs are kept from block ${oldest} on, not of block ${header.number}`);
  }
}

/** The number of the oldest block whose proofs can be made: leaves of contracts need its state, too. */
function oldestProvenBlock(chain: ChainReader): number {
  return Math.max(chain.oldestTrieBlock(), chain.oldestStateBlock());
}
