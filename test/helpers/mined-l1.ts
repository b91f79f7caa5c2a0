import { L1Error } from "#base/errors/index.ts";
import type {
  CoreContractLog,
  CoreState,
  L1Block,
  L1Finality,
  L1View,
  MessageLog,
  StateReport,
  StateUpdateLog,
} from "#io/l1/index.ts";
import { headerOf } from "./l1-chain.ts";

/** Seconds between two blocks of the test's L1. */
export const L1_BLOCK_SECONDS = 12;

/** Contents of a block of the test's L1. */
export type L1Content =
  | { readonly kind: "update"; readonly blockNumber: number }
  | { readonly kind: "message"; readonly nonce: number; readonly words?: number };

interface Mined {
  readonly block: L1Block;
  readonly logs: readonly CoreContractLog[];
  readonly core: CoreState;
}

const NO_STATE: CoreState = { blockNumber: -1n, blockHash: 0n, stateRoot: 0n };

/** An L1 in memory whose blocks, reorgs and failures the test controls. */
export class MinedL1 {
  #blocks: readonly Mined[] = [];
  #minted = 0n;
  /** Faults of the next requests, in order; `undefined` for a response. */
  faults: ("error" | "hang" | undefined)[] = [];
  /** Number of newest blocks that are not visible yet. */
  lag = 0;
  views = 0;
  readonly ranges: (readonly [number, number])[] = [];

  constructor() {
    this.mine([]);
  }

  /** Logs of blocks with this many confirmations. */
  finalLogs(depth: number): readonly CoreContractLog[] {
    return this.#blocks.slice(0, Math.max(1, this.#blocks.length - depth)).flatMap((b) => b.logs);
  }

  get head(): L1Block {
    return this.#at(this.#blocks.length - 1).block;
  }

  mine(contents: readonly L1Content[]): void {
    const parent = this.#blocks.at(-1);
    const number = this.#blocks.length;
    const hash = 0xb10c_0000n + this.#minted++;
    const timestamp = number * L1_BLOCK_SECONDS;
    const block = { number, hash, parentHash: parent?.block.hash ?? 0n, timestamp };
    const place = { l1Block: { number, hash } };
    const logs = contents.map((content, logIndex) => ({ ...place, logIndex, ...logOf(content) }));
    const update = logs.findLast((log) => log.kind === "state_update");
    const core = update ?? parent?.core ?? NO_STATE;
    this.#blocks = [...this.#blocks, { block, logs, core }];
  }

  /** Removes the newest blocks. */
  drop(count: number): void {
    this.#blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - count));
  }

  readonly source = {
    view: async <T>(finality: L1Finality, read: (view: L1View) => Promise<T>): Promise<T> => {
      this.views++;
      await this.#answer();
      const blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - this.lag));
      const depth = typeof finality === "number" ? finality : 2;
      const view = this.#view(blocks, Math.max(0, blocks.length - 1 - depth));
      const value = await read(view);
      await this.#answer();
      if (this.#blocks[view.block.number]?.block.hash !== view.block.hash) throw failure();
      return value;
    },
    stateReports: async (l1BlockNumber: number): Promise<readonly StateReport[]> => {
      await this.#answer();
      const { block, logs, core } = this.#at(l1BlockNumber);
      const updates = logs.filter((log) => log.kind === "state_update");
      const of = { kind: "read", l1BlockHash: block.hash, updates, named: [], core } as const;
      return ["http://a", "http://b"].map((endpoint) => ({ endpoint, ...of }));
    },
    blockBefore: async (unixSeconds: number): Promise<number | undefined> => {
      await this.#answer();
      return this.#blocks.findLast(({ block }) => block.timestamp < unixSeconds)?.block.number;
    },
  };

  #view(blocks: readonly Mined[], newest: number): L1View {
    const at = (number: number): Mined | undefined => blocks[number];
    const { block, core } = blocks[newest] ?? this.#at(0);
    return {
      block,
      head: blocks.at(-1)?.block ?? block,
      logs: async (from, to) => {
        this.ranges.push([from, to]);
        await this.#answer();
        return blocks.slice(from, to + 1).flatMap(({ logs }) => logs);
      },
      hashOf: async (number) => {
        await this.#answer();
        return at(number)?.block.hash;
      },
      coreState: async () => {
        await this.#answer();
        return core;
      },
      nextMessageNonce: () => Promise.resolve(0n),
      messages: async (hashes) => {
        await this.#answer();
        return hashes.map(() => ({ feePlusOne: 1n, cancellationStarted: 0n }));
      },
    };
  }

  async #answer(): Promise<void> {
    const fault = this.faults.shift();
    await Promise.resolve();
    if (fault === "hang") await new Promise(() => undefined);
    if (fault === "error") throw failure();
  }

  #at(number: number): Mined {
    const mined = this.#blocks[number];
    if (mined === undefined) throw new RangeError(`no block ${number}`);
    return mined;
  }
}

type WithoutPlace<T> = Omit<T, "l1Block" | "logIndex">;

function logOf(content: L1Content): WithoutPlace<StateUpdateLog> | WithoutPlace<MessageLog> {
  if (content.kind === "update") {
    const { hash, stateRoot } = headerOf(content.blockNumber);
    const blockNumber = BigInt(content.blockNumber);
    return { kind: "state_update", blockNumber, blockHash: hash, stateRoot, transactionHash: 1n };
  }
  return {
    kind: "message_to_l2",
    fromAddress: 1n,
    toAddress: 2n,
    selector: 3n,
    payload: new Array<bigint>(content.words ?? 0).fill(0n),
    nonce: BigInt(content.nonce),
    feeWei: 1n,
    transactionHash: 1n,
  };
}

function failure(): L1Error {
  return new L1Error("L1_UNREACHABLE", "nobody answers", true);
}
