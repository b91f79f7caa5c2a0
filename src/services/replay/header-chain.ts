import { type Felt, RecentMap } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { checkHeaderHash } from "./check-header.ts";
import { requireSame } from "./difference.ts";
import type { ReplayPort } from "./source.ts";

/** Headers that are kept from one block to the next: those that its `get_block_hash` may reach, twice. */
const MAX_KEPT = 24;

/**
 * Headers of a node, each reached over the parent hashes of the headers after it: a header that has the
 * right hash may be that of another chain, one that is linked may not.
 */
export class HeaderChain {
  readonly #port: Pick<ReplayPort, "blockHashes">;
  readonly #byHash = new RecentMap<Felt, BlockHeader>(MAX_KEPT);

  constructor(port: Pick<ReplayPort, "blockHashes">) {
    this.#port = port;
  }

  /** Keeps a header whose hash was recomputed, so that later blocks need not ask for it. */
  keep(header: BlockHeader): void {
    this.#byHash.set(header.hash, header);
  }

  /**
   * The header of the block `distance` blocks before another one, by way of all between them.
   *
   * @param header - whose hash was recomputed
   * @param distance - at least 1, at most the block's number
   * @throws {DifferenceFound} when a header has another hash, number or count of transactions than is
   *   said, or is not the parent of the next one
   */
  async ancestor(header: BlockHeader, distance: number): Promise<BlockHeader> {
    let reached = header;
    for (let step = 0; step < distance; step++) reached = await this.#parentOf(reached);
    return reached;
  }

  async #parentOf({ number, parentHash }: BlockHeader): Promise<BlockHeader> {
    const known = this.#byHash.get(parentHash);
    if (known !== undefined && known.number === number - 1) return known;
    const { header, transactionHashes } = await this.#port.blockHashes(number - 1);
    requireSame(`block_number of block ${number - 1}`, number - 1, header.number);
    checkHeaderHash(header);
    requireSame(`parent_hash of block ${number}`, header.hash, parentHash);
    const field = `number of transactions of block ${header.number}`;
    requireSame(field, header.transactionCount, transactionHashes.length);
    this.keep(header);
    return header;
  }
}
