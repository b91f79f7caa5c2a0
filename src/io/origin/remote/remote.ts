import type { JsonObject } from "#base/codec/index.ts";
import { type AppError, invariant, OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type RemoteHead, RpcRefusal } from "#io/client/index.ts";
import { type BlockHeader, encodeStateDiff } from "#protocol/chain/index.ts";
import { refused, unavailable } from "../errors.ts";
import type { OriginQuery } from "../query.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { OriginPool, type OriginPoolOptions } from "../rpc/pool.ts";
import type { OriginSpec } from "../rpc/spec.ts";
import { encodeLocation, encodeNumber, encodeOriginBlock } from "../values.ts";
import { readBlockList } from "./block-list.ts";
import { OriginCaller } from "./caller.ts";
import { hashId, numberId, smallCall } from "./calls.ts";
import { ClassLeaves } from "./class-leaf.ts";
import { type ClassCompiler, readClass } from "./class-value.ts";
import { ForkBlocks, type ForkPoint } from "./fork-blocks.ts";
import { greetUrl, type OriginIdentity } from "./greeting.ts";
import { readEvents } from "./events/read-events.ts";
import { L1Accepted } from "./l1-accepted.ts";
import { readLastUpdate } from "./last-update.ts";
import { OriginLookups } from "./lookups.ts";
import { OuterFork } from "./outer-fork.ts";
import { readProof, readTraces } from "./pages.ts";
import { readPinned } from "./pin.ts";
import { readBlock, readUpdate } from "./read-block.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";
import { readStateValue } from "./state-values.ts";

/** Settings of an {@link OriginRemote}. */
export interface OriginRemoteOptions extends Omit<OriginPoolOptions, "greet" | "greetMs"> {
  /** Deadline of each value, over all its requests; milliseconds. */
  readonly timeoutMs: number;
  readonly compiler: ClassCompiler;
}

/** Fork block of a first start. */
export interface PinnedOrigin {
  readonly chainId: Felt;
  readonly header: BlockHeader;
  /** Headers of the ten blocks before it, or as many as exist, in ascending order. */
  readonly ancestors: readonly BlockHeader[];
  /** Specification of each URL. */
  readonly specs: readonly OriginSpec[];
  /** Numbers of the blocks whose hashes follow no rule that this program has, in ascending order. */
  readonly unverified: readonly number[];
  /** Value of the `block` query for the fork block. */
  readonly block: Uint8Array;
}

/** The network that a chain is forked from, reached over JSON-RPC. */
export class OriginRemote {
  readonly #options: OriginRemoteOptions;
  readonly #pool: OriginPool;
  readonly #caller: OriginCaller;
  readonly #identity: OriginIdentity = {
    chainId: undefined,
    fork: undefined,
    isPinned: false,
    newest: new Map(),
  };
  #parts: ForkParts | undefined;

  /** @throws TypeError for an invalid URL */
  constructor(options: OriginRemoteOptions) {
    this.#options = options;
    this.#pool = new OriginPool({
      ...options,
      greetMs: options.timeoutMs,
      greet: (call, name) => greetUrl(call, name, this.#identity),
    });
    this.#caller = new OriginCaller(this.#pool);
  }

  /**
   * Pins the fork block at the first start: all URLs must have it.
   *
   * @param block - number, hash, or the newest block that all URLs have
   * @throws {OriginError} ORIGIN_UNSUPPORTED, ORIGIN_REFUSED, ORIGIN_BAD_ANSWER or ORIGIN_CHANGED when the
   *   origin cannot be forked at the block, ORIGIN_UNAVAILABLE when a URL does not respond
   */
  async pin(block: number | Felt | "latest"): Promise<PinnedOrigin> {
    const identity = this.#identity;
    identity.fork = undefined;
    this.#requireAll(await this.#pool.checkAll());
    const { newest, chainId = 0n } = identity;
    const id =
      typeof block === "bigint"
        ? hashId(block)
        : numberId(block === "latest" ? Math.min(...newest.values()) : block);
    const shown = typeof block === "bigint" ? hexFromFelt(block) : block;
    const task = this.task(`fork block ${shown}`);
    identity.fork = await this.#headOf(id, task);
    this.#requireAll(await this.#pool.checkAll());
    const pinned = await readPinned(this.#caller, identity.fork, chainId, (what) =>
      this.task(what),
    );
    const { header } = pinned.block;
    identity.isPinned = true;
    this.#start({ ...header, chainId });
    return {
      chainId,
      header,
      ancestors: pinned.ancestors,
      specs: this.#pool.specs,
      unverified: pinned.unverified,
      block: encodeOriginBlock(pinned.block),
    };
  }

  /**
   * Continues with the fork block of an earlier start.
   *
   * @returns whether a URL responds; if none does, the fork continues with the values that it has
   * @throws {OriginError} ORIGIN_CHANGED when a URL has another chain or fork block, ORIGIN_UNSUPPORTED when a
   *   URL has another specification now
   */
  async repin(fork: ForkPoint): Promise<boolean> {
    this.#identity.chainId = fork.chainId;
    this.#identity.fork = fork;
    this.#identity.isPinned = true;
    this.#start(fork);
    const errors = await this.#pool.checkAll();
    const fault = errors.find((error) => error instanceof OriginError && !error.retryable);
    if (fault !== undefined) throw fault;
    return this.#pool.specs.length > 0;
  }

  /** Creates a task whose deadline counts from now. */
  task(what: string): OriginTask {
    const { timer, timeoutMs } = this.#options;
    return { what, endsAtMs: timer.nowMs() + timeoutMs, servers: new Map() };
  }

  /**
   * Fetches the value of a query.
   *
   * @returns the encoded value; `null` when it is absent
   * @throws {OriginError} when the origin does not respond in time, refuses, or responds wrongly
   */
  async fetch(query: OriginQuery, task: OriginTask): Promise<Uint8Array | null> {
    const parts = this.#parts;
    invariant(parts !== undefined, "an origin is pinned before it is read");
    requireUpTo(query, parts.blocks.fork.number);
    try {
      const value = await this.#read(query, parts, task);
      if (needsFork(query, parts.blocks, task)) await parts.blocks.confirm(task);
      return value;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw refused(`${this.#caller.names} refuses "${task.what}": ${error.message}`, error);
    }
  }

  async #read(
    query: OriginQuery,
    { blocks, lookups, leaves, outer, l1Accepted }: ForkParts,
    task: OriginTask,
  ): Promise<Uint8Array | null> {
    const caller = this.#caller;
    const { compiler, timer } = this.#options;
    switch (query.kind) {
      case "storage":
      case "nonce":
      case "classHash":
        return readStateValue(caller, blocks, query, task);
      case "lastUpdate":
        if (!this.#pool.specs.every(({ hasFlags }) => hasFlags)) return null;
        return encodedNumber(await readLastUpdate(caller, blocks, query, task));
      case "class":
        return readClass(
          { caller, blocks, leaves, outer, compiler, nowMs: () => timer.nowMs() },
          query,
          task,
        );
      case "block": {
        const { chainId } = blocks.fork;
        const read = (id: Parameters<typeof readBlock>[1]) => readBlock(caller, id, chainId, task);
        return encodeOriginBlock(await blocks.at(query.block, read, task));
      }
      case "stateDiff": {
        const { head } = await blocks.list(query.block, task);
        const read = (id: Parameters<typeof readUpdate>[1]) =>
          readUpdate(caller, id, head.hash, task);
        return encodeStateDiff((await blocks.at(query.block, read, task)).stateDiff);
      }
      case "traces":
        return readTraces(caller, blocks, query.block, task);
      case "numberByHash":
        return encodedNumber(await lookups.numberOf(query.blockHash, task));
      case "locate": {
        const location = await lookups.locate(query.transactionHash, task);
        return location === undefined ? null : encodeLocation(location);
      }
      case "trace":
        return lookups.trace(query.transactionHash, task);
      case "messages":
        return lookups.messages(query.l1TransactionHash, task);
      case "events":
        return readEvents(caller, blocks, query, task);
      case "proof":
        return readProof(caller, blocks, query, task);
      case "l1Accepted": {
        return encodedNumber(await l1Accepted.number(await this.#hasL1Accepted(task), task));
      }
    }
  }

  async #hasL1Accepted(task: OriginTask): Promise<boolean> {
    // A response means that at least one URL was checked.
    if (this.#pool.specs.length === 0) await this.#pool.call(smallCall("specVersion", {}), task);
    return this.#pool.specs.every(({ hasL1Accepted }) => hasL1Accepted);
  }

  #start(fork: ForkPoint): void {
    this.#caller.fork = fork;
    const blocks = new ForkBlocks(this.#caller, fork);
    this.#parts = {
      blocks,
      lookups: new OriginLookups(this.#caller, blocks),
      leaves: new ClassLeaves(this.#caller, blocks),
      outer: new OuterFork(this.#caller),
      l1Accepted: new L1Accepted(this.#caller, blocks),
    };
  }

  /** Reads the header of the fork block, from any URL. */
  async #headOf(id: JsonObject, task: OriginTask): Promise<RemoteHead> {
    const reading = readBlockList(this.#caller, id, task);
    const list = await orAbsent(reading, RPC_CODES.blockNotFound);
    if (list !== undefined) return list.head;
    throw refused(`${this.#caller.names} does not have the ${task.what}`);
  }

  #requireAll(errors: readonly AppError[]): void {
    const [first] = errors;
    if (first !== undefined) throw first;
    if (this.#pool.specs.length === 0) throw unavailable(`${this.#caller.names} does not respond`);
  }
}

interface ForkParts {
  readonly blocks: ForkBlocks;
  readonly lookups: OriginLookups;
  readonly leaves: ClassLeaves;
  readonly outer: OuterFork;
  readonly l1Accepted: L1Accepted;
}

/** Whether another chain could return the value, which is kept. */
function needsFork(query: OriginQuery, blocks: ForkBlocks, task: OriginTask): boolean {
  if (query.kind === "l1Accepted") return false;
  return !("block" in query && blocks.isByHash(query.block, task));
}

function requireUpTo(query: OriginQuery, forkBlock: number): void {
  const last = query.kind === "events" ? query.toBlock : "block" in query ? query.block : 0;
  invariant(last <= forkBlock, "an origin is never read above the fork block");
}

function encodedNumber(value: number | undefined): Uint8Array | null {
  return value === undefined ? null : encodeNumber(value);
}
