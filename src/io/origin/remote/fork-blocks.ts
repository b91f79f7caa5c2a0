import { integer } from "#base/codec/index.ts";
import { OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt, RecentMap } from "#base/primitives/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import { changed, refused } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { type BlockList, readBlockList } from "./block-list.ts";
import type { OriginCaller } from "./caller.ts";
import { type BlockIdJson, hashId, numberId, smallCall } from "./calls.ts";
import { ID_CODES } from "./fork-id.ts";
import { isRefusal, RPC_CODES } from "./rpc-codes.ts";

/** Block that a forked chain continues. */
export interface ForkPoint {
  readonly chainId: Felt;
  readonly number: number;
  readonly hash: Felt;
  readonly newRoot: Felt;
  readonly protocolVersion: string;
}

const COUNT = integer();

/** Transaction hashes kept in memory, over all blocks. */
const MAX_KEPT_HASHES = 1 << 18;

/**
 * Reads blocks of an origin up to the fork block. The fork block is requested by hash, from URLs that do not find
 * it by its hash by number.
 */
export class ForkBlocks {
  readonly fork: ForkPoint;
  readonly #caller: OriginCaller;
  readonly #lists = new RecentMap<number, BlockList>(
    MAX_KEPT_HASHES,
    ({ transactionHashes }) => transactionHashes.length + 16,
  );

  constructor(caller: OriginCaller, fork: ForkPoint) {
    this.#caller = caller;
    this.fork = fork;
  }

  /**
   * Reads something at a block up to the fork block.
   *
   * @param read - reads at a block id
   * @param absence - error code that is an absent value, which is rethrown
   * @throws {RpcRefusal} with the code `absence`
   * @throws {OriginError} ORIGIN_CHANGED when the fork block has another hash now, ORIGIN_REFUSED when the
   *   origin lacks the block or its state, and as `read`
   */
  async at<T>(
    blockNumber: number,
    read: (id: BlockIdJson) => Promise<T>,
    task: OriginTask,
    absence?: number,
  ): Promise<T> {
    const isFork = blockNumber === this.fork.number;
    try {
      return await read(isFork ? hashId(this.fork.hash) : numberId(blockNumber));
    } catch (error) {
      // What a URL returns for the number may be of another chain, and therefore wrong.
      if (error instanceof OriginError && !error.retryable && task.servers.values().some(Boolean)) {
        await this.confirm(task);
      }
      if (!(error instanceof RpcRefusal) || error.rpcCode === absence) throw error;
      if (isFork && ID_CODES.has(error.rpcCode)) await this.#requireFork(task);
      throw this.#lacks(blockNumber, error);
    }
  }

  /** Whether all responses of a task name the hash of a block, which no other chain has. */
  isByHash(blockNumber: number, { servers }: OriginTask): boolean {
    return blockNumber === this.fork.number && !servers.values().some(Boolean);
  }

  /**
   * Requires the URLs of a task to have the fork block. Call it after each read that does not name the fork block's
   * hash: a URL may lead to a node of another chain, to one that was restarted, or to one that has yet to reach the
   * block.
   *
   * @throws {OriginError} ORIGIN_CHANGED when the fork block has another hash now, and as {@link at}
   */
  async confirm(task: OriginTask): Promise<void> {
    const { servers } = task;
    if (this.#caller.isAlone || servers.size === 0) {
      await this.#confirm(task, undefined, servers.values().some(Boolean));
      return;
    }
    await Promise.all(
      servers.entries().map(([name, isNumbered]) => this.#confirm(task, name, isNumbered)),
    );
  }

  /** Requires a URL to have the fork block. @param isNumbered - whether it does not find it by its hash */
  async #confirm(task: OriginTask, only: string | undefined, isNumbered: boolean): Promise<void> {
    if (isNumbered) return this.#requireFork(task, only);
    const own = { ...task, servers: new Map<string, boolean>() };
    const read = (id: BlockIdJson) => {
      const call = smallCall("getBlockTransactionCount", { block_id: id });
      return this.#caller.read(only === undefined ? call : { ...call, only }, COUNT, own);
    };
    await this.at(this.fork.number, read, task);
    if (own.servers.values().some(Boolean)) await this.#requireFork(task, only);
  }

  /**
   * Reads a block with its transaction hashes.
   *
   * @throws {OriginError} as {@link at}
   */
  async list(blockNumber: number, task: OriginTask): Promise<BlockList> {
    const known = this.#lists.touch(blockNumber);
    if (known !== undefined) return known;
    const list = await this.at(blockNumber, (id) => readBlockList(this.#caller, id, task), task);
    if (!this.isByHash(blockNumber, task)) await this.confirm(task);
    this.#lists.set(blockNumber, list);
    return list;
  }

  /**
   * Whether a block that the origin names is the fork block or an ancestor.
   *
   * @throws {OriginError} as {@link at}
   */
  async isAncestor(blockNumber: number, blockHash: Felt, task: OriginTask): Promise<boolean> {
    const { fork } = this;
    if (blockNumber >= fork.number) return blockNumber === fork.number && blockHash === fork.hash;
    const { head } = await this.list(blockNumber, task);
    return head.hash === blockHash;
  }

  /** @throws {OriginError} ORIGIN_CHANGED or ORIGIN_REFUSED */
  async #requireFork(task: OriginTask, only?: string): Promise<void> {
    const { number, hash } = this.fork;
    const read = readBlockList(this.#caller, numberId(number), task, only);
    try {
      requireSameHash(this.#caller.names, number, hash, (await read).head.hash);
    } catch (error) {
      if (isRefusal(error, RPC_CODES.blockNotFound)) throw this.#lacks(number, error);
      throw error;
    }
  }

  #lacks(blockNumber: number, refusal: RpcRefusal): Error {
    const { number, hash } = this.fork;
    const block = `block ${blockNumber}${blockNumber === number ? ` (${hexFromFelt(hash)})` : ""}`;
    const { names } = this.#caller;
    const what = isMissing(refusal)
      ? `${names} lacks ${block} or its state, perhaps because it prunes old blocks`
      : `${names} refuses a request for ${block}`;
    return refused(`${what}: ${refusal.message}`, refusal);
  }
}

const MISSING_TEXT = /prun|archiv|histor|not available|no longer|missing|too old/i;

function isMissing({ rpcCode, message }: RpcRefusal): boolean {
  return rpcCode === RPC_CODES.blockNotFound || MISSING_TEXT.test(message);
}

/**
 * Checks that the fork block has the pinned hash.
 *
 * @throws {OriginError} ORIGIN_CHANGED with both hashes
 */
export function requireSameHash(name: string, number: number, pinned: Felt, found: Felt): void {
  if (found === pinned) return;
  throw changed(
    `${name}: block ${number} has hash ${hexFromFelt(found)}, but the fork started from hash ${hexFromFelt(pinned)}: the origin was reorganized or restarted`,
  );
}
