import type { ChainReader } from "#engine/state/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { type BlockId, reasonOfAbsence, resolveBlock } from "../block-id.ts";
import type { QueryContext } from "../context.ts";
import { ProvenState } from "./proven-state.ts";

/** Why a fork proves nothing. */
const LOCAL_CHANGES =
  "the roots of a fork's own blocks cover local changes alone, not the state that they continue";

/**
 * Errors to throw when a proof cannot be given: the block is unknown, or its tries are no longer
 * kept.
 */
export interface ProofRefusals {
  /** The accepted block does not exist. */
  notFound(reason?: string): never;
  /** @param reason - names the oldest block whose proofs are kept */
  notKept(reason: string): never;
}

/**
 * Proves parts of the state after an accepted block, from one snapshot of the chain: other threads may prune
 * or revert during the call.
 *
 * @param prove - called at most once
 * @throws {StorageError} when a row of a kept trie is missing or damaged
 */
export function proveAt<T>(
  context: QueryContext,
  id: BlockId,
  refusals: ProofRefusals,
  prove: (state: ProvenState, header: BlockHeader) => T,
): T {
  const { chain } = context;
  return chain.snapshot(() => {
    const block = resolveBlock(context, id);
    if (block?.kind !== "accepted") return refusals.notFound(reasonOfAbsence(context, id));
    const header = chain.header(block.number) ?? refusals.notFound();
    if (context.fork !== null) refusals.notKept(LOCAL_CHANGES);
    const oldest = oldestProvenBlock(chain);
    if (header.number < oldest) {
      refusals.notKept(`proofs are kept from block ${oldest} on, not of block ${header.number}`);
    }
    return prove(new ProvenState(context, block.number), header);
  });
}

/** Returns the number of the oldest provable block: contract leaves need its state, too. */
function oldestProvenBlock(chain: ChainReader): number {
  return Math.max(chain.oldestTrieBlock(), chain.oldestStateBlock());
}
