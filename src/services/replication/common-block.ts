import type { BlockBundle } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { readBundle } from "./bundle-store.ts";

/** The published chain, block by block. */
export interface PublishedChain {
  /** `undefined`: there is no object of the number. */
  read(blockNumber: number): Promise<Uint8Array | undefined>;
}

/** What is compared. */
export interface ComparedChains {
  readonly chain: Pick<StoredChainReader, "epoch" | "header" | "latestNumber" | "oldestBlock">;
  readonly published: PublishedChain;
}

/** How far two chains are one. */
export interface CommonBlock {
  /** Up to here the stored chain is not contradicted; below its first block: not even that is the same. */
  readonly blockNumber: number;
  /** The highest block that was found in both; below the first stored one: none. Above it the store has lost objects. */
  readonly confirmed: number;
  /** Highest epoch of the published blocks that were read; 0 where none was. */
  readonly epoch: number;
  /** The lowest published block that was found to be another one; `undefined`: none was. */
  readonly fork: ForkBlock | undefined;
}

/** A published block that is another one than the stored one of its number. */
export interface ForkBlock {
  readonly number: number;
  /** `undefined`: it cannot be read. */
  readonly bundle: BlockBundle | undefined;
}

/**
 * The highest block up to which a stored chain is the published one. Blocks hold the hashes of their parents,
 * so that few of them have to be read: the newest where the chains do not part, and as many as the number of
 * blocks above the fork has digits where they do.
 *
 * @param newest - highest block that both may have; -1: none
 * @throws {ObjectStoreError} when the store does not answer
 */
export async function highestCommon(newest: number, chains: ComparedChains): Promise<CommonBlock> {
  const search = new Search(chains);
  const { same, other } = await descend(newest, chains.chain.oldestBlock(), search);
  if (other === undefined) {
    return { blockNumber: newest, confirmed: same, epoch: search.epoch, fork: undefined };
  }
  const fork = await narrow(same, other, search);
  const blockNumber = search.isParent(fork.other) ? fork.other.number - 1 : fork.same;
  return { blockNumber, confirmed: fork.same, epoch: search.epoch, fork: fork.other };
}

/** Down in steps that double, to a block that is the same in both. */
async function descend(
  newest: number,
  oldest: number,
  search: Search,
): Promise<{ readonly same: number; readonly other: Compared | undefined }> {
  let other: Compared | undefined;
  let at = newest;
  for (let step = 1; at >= oldest; step *= 2) {
    const found = await search.presentFrom(at, oldest - 1);
    if (found === undefined) break;
    if (found.isSame) return { same: found.number, other };
    other = found;
    at = found.number - step;
  }
  return { same: oldest - 1, other };
}

/** Halves what is between one that is the same and one that is not, until nothing is. */
async function narrow(
  same: number,
  other: Compared,
  search: Search,
): Promise<{ readonly same: number; readonly other: Compared }> {
  const middle = Math.floor((same + other.number) / 2);
  const found =
    (await search.presentFrom(middle, same)) ??
    // What is below is lost: the rest is looked at.
    (await search.presentFrom(other.number - 1, middle));
  if (found === undefined) return { same, other };
  return found.isSame ? narrow(found.number, other, search) : narrow(same, found, search);
}

/** A published block beside the stored one of its number. */
interface Compared extends ForkBlock {
  readonly isSame: boolean;
}

class Search {
  readonly #chains: ComparedChains;
  epoch = 0;

  constructor(chains: ComparedChains) {
    this.#chains = chains;
  }

  /** The highest published block at or below a number and above another. */
  async presentFrom(from: number, above: number): Promise<Compared | undefined> {
    for (let number = from; number > above; number--) {
      const bytes = await this.#chains.published.read(number);
      if (bytes !== undefined) return this.#compare(number, bytes);
    }
    return undefined;
  }

  /** Whether the stored block before a published one is its parent. */
  isParent({ number, bundle }: Compared): boolean {
    const parentHash = bundle?.block.header.parentHash;
    return number > 0 && this.#chains.chain.header(number - 1)?.hash === parentHash;
  }

  #compare(number: number, bytes: Uint8Array): Compared {
    const { chain } = this.#chains;
    const bundle = readBundle(bytes);
    const header = bundle?.block.header;
    const isBlock = header?.number === number && header.hash === chain.header(number)?.hash;
    // Of older blocks the epoch is of no consequence: a gateway that they were taken from told none.
    const isEpoch = number !== chain.latestNumber() || bundle?.epoch === chain.epoch(number);
    this.epoch = Math.max(this.epoch, bundle?.epoch ?? 0);
    return { number, isSame: isBlock && isEpoch, bundle };
  }
}
