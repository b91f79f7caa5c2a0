import type { BlockBundle } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { readBundle } from "./bundle-store.ts";

/** Published chain, read block by block. */
export interface PublishedChain {
  /** Returns the bundle; `undefined` if the number has no object. */
  read(blockNumber: number): Promise<Uint8Array | undefined>;
}

/** Chains to compare. */
export interface ComparedChains {
  readonly chain: Pick<StoredChainReader, "epoch" | "header" | "latestNumber" | "oldestBlock">;
  readonly published: PublishedChain;
}

/** Result of {@link highestCommon}. */
export interface CommonBlock {
  /**
   * Highest block up to which the published chain does not contradict the stored one. The number before the
   * oldest stored block if even that one differs.
   */
  readonly blockNumber: number;
  /**
   * Highest block found in both chains; the number before the oldest stored block if none was. Above it, the
   * store has lost objects.
   */
  readonly confirmed: number;
  /** Highest epoch of the published blocks that were read; 0 if none was read. */
  readonly epoch: number;
  /** Lowest published block that differs from the stored one; `undefined` if none differs. */
  readonly fork: ForkBlock | undefined;
}

/** Published block that differs from the stored block of the same number. */
export interface ForkBlock {
  readonly number: number;
  /** `undefined` if it cannot be read. */
  readonly bundle: BlockBundle | undefined;
}

/**
 * Finds the highest block up to which a stored chain equals the published one. Each block holds its parent's
 * hash, so few reads suffice: the newest block if the chains do not fork, else a logarithmic number in the
 * blocks above the fork.
 *
 * @param newest - highest block that both chains may have; `-1` if none
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

/** Descends in steps that double until a block is the same in both chains. */
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

/** Bisects between a common block and a differing one until they are adjacent. */
async function narrow(
  same: number,
  other: Compared,
  search: Search,
): Promise<{ readonly same: number; readonly other: Compared }> {
  const middle = Math.floor((same + other.number) / 2);
  const found =
    (await search.presentFrom(middle, same)) ??
    // The lower half is lost in the store: search the upper half.
    (await search.presentFrom(other.number - 1, middle));
  if (found === undefined) return { same, other };
  return found.isSame ? narrow(found.number, other, search) : narrow(same, found, search);
}

/** Published block compared with the stored block of the same number. */
interface Compared extends ForkBlock {
  readonly isSame: boolean;
}

class Search {
  readonly #chains: ComparedChains;
  epoch = 0;

  constructor(chains: ComparedChains) {
    this.#chains = chains;
  }

  /** Returns the highest published block at or below `from` and above `above`. */
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
    // The epoch matters only for the newest block: blocks synced from a gateway may have no epoch.
    const isEpoch = number !== chain.latestNumber() || bundle?.epoch === chain.epoch(number);
    this.epoch = Math.max(this.epoch, bundle?.epoch ?? 0);
    return { number, isSame: isBlock && isEpoch, bundle };
  }
}
