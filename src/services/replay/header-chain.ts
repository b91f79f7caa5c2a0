import { type Felt, RecentMap } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { checkHeaderHash } from "./check-header.ts";
import { requireSame } from "./difference.ts";
import type { ReplayPort } from "./source.ts";

/** Maximum headers kept between blocks: twice the reach of `get_block_hash`. */
const MAX_KEPT = 24;

/**
 * Headers of a node, each reached via the parent hashes of later headers. A header with a correct hash may
 * belong to another chain; a linked one cannot.
 */
export class HeaderChain {
  readonly #port: Pick<ReplayPort, "blockHashes">;
  readonly #byHash = new RecentMap<Felt, BlockHeader>(MAX_KEPT);

  constructor(port: Pick<ReplayPort, "blockHashes">) {
    this.#port = port;
  }

  /** Keeps a header whose hash was recomputed, so that later blocks need not fetch it. */
  keep(header: BlockHeader): void {
    this.#byHash.set(header.hash, header);
  }

  /**
   * Returns the header `distance` blocks before another one, by following all parents in between.
   *
   * @param header - its hash must have been recomputed
   * @param distance - at least 1, at most the block's number
   * @throws {DifferenceFound} when a header's hash, number or transaction count is wrong, or it is not the
   * parent of the next one
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
