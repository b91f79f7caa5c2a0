import type { ChainReader } from "#engine/state/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { type BlockId, reasonOfAbsence, resolveBlock } from "../block-id.ts";
import type { QueryContext } from "../context.ts";
import { ProvenState } from "./proven-state.ts";

/** How a request ends that gets no proofs. */
export interface ProofRefusals {
  /** There is no such accepted block. */
  notFound(reason?: string): never;
  /** @param reason - names the oldest block whose proofs are kept */
  notKept(reason: string): never;
}

/**
 * Proves something of the state after an accepted block, all of it in one moment of the chain: another
 * thread may prune or revert meanwhile.
 *
 * @param prove - called once at most
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
    const oldest = oldestProvenBlock(chain);
    if (header.number < oldest) {
      refusals.notKept(`proofs are kept from block ${oldest} on, not of block ${header.number}`);
    }
    return prove(new ProvenState(context, block.number), header);
  });
}

/** The number of the oldest block whose proofs can be made: leaves of contracts need its state, too. */
function oldestProvenBlock(chain: ChainReader): number {
  return Math.max(chain.oldestTrieBlock(), chain.oldestStateBlock());
}
