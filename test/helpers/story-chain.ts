import { readFileSync } from "node:fs";
import { Account, RpcProvider } from "starknet";
import {
  Account as OldAccount,
  json as oldJson,
  type LegacyCompiledContract,
  RpcProvider as OldProvider,
} from "starknet-v6";
import { type AccountEntry, rawCall } from "./binary.ts";
import { fixturePath } from "./shared.ts";
import type { UsedChain } from "./use-chain.ts";

/** A request that changed the chain. */
export interface StoryRequest {
  readonly method: string;
  readonly params: unknown;
}

/** A block of a story: its time, and the requests before it was closed. */
export interface StoryBlock {
  readonly number: number;
  readonly timestamp: number;
  readonly requests: readonly StoryRequest[];
}

const FIRST_TIMESTAMP = 1_900_000_000;
const BLOCK_SECONDS = 7;

/**
 * A development chain whose blocks can be reproduced: every request that changes it is recorded as
 * sent, with the time of its block.
 */
export class StoryChain {
  readonly blocks: StoryBlock[] = [];
  readonly chain: UsedChain;
  readonly #args: readonly string[];
  #requests: StoryRequest[] = [];

  private constructor(chain: UsedChain, args: readonly string[]) {
    this.chain = chain;
    this.#args = args;
  }

  /**
   * Starts a chain under a protocol version, with full archives.
   *
   * @param args - additional options of every start
   */
  static async start(
    chain: UsedChain,
    version: string,
    args: readonly string[] = [],
  ): Promise<StoryChain> {
    await chain.start({ args: [...argsOf(version), ...args] });
    return new StoryChain(chain, args);
  }

  /** A running chain that reproduces the blocks of another one. */
  static over(chain: UsedChain): StoryChain {
    return new StoryChain(chain, []);
  }

  /** Stops the chain, runs work on its folder, and starts it under a protocol version. */
  async restart(version: string, work: () => Promise<void> = async () => {}): Promise<void> {
    await this.chain.stop();
    await work();
    await this.chain.start({ args: [...argsOf(version), ...this.#args] });
  }

  /** Opens the next block. */
  async open(): Promise<void> {
    this.#requests = [];
    await this.#setTime(this.#timestampOf((await this.latest()) + 1));
  }

  /** Closes the block; settles when it is accepted. */
  async close(): Promise<StoryBlock> {
    await this.ask("devnet_createBlock", {});
    const number = await this.latest();
    const block = { number, timestamp: this.#timestampOf(number), requests: this.#requests };
    this.blocks.push(block);
    return block;
  }

  /** Reproduces a block. */
  async again({ timestamp, requests }: StoryBlock): Promise<void> {
    await this.#setTime(timestamp);
    for (const [i, { method, params }] of requests.entries()) {
      await this.ask(method, params);
      await this.#executed(i + 1);
    }
    await this.ask("devnet_createBlock", {});
  }

  /** Sends a request that is recorded as part of the block. */
  async record<T>(method: string, params: unknown): Promise<T> {
    this.#requests.push({ method, params });
    const result = await this.ask<T>(method, params);
    await this.settled();
    return result;
  }

  /** Settles when all recorded requests are executed, so that the next one follows them. */
  settled(): Promise<void> {
    return this.#executed(this.#requests.length);
  }

  /** Sends a request to the chain. */
  async ask<T>(method: string, params: unknown): Promise<T> {
    const { result, error } = await rawCall(this.chain.url, method, params);
    if (error !== undefined) throw new TypeError(`${method}: ${JSON.stringify(error)}`);
    return result as T;
  }

  latest(): Promise<number> {
    return this.ask("starknet_blockNumber", []);
  }

  /** Hashes of all blocks. */
  async hashes(): Promise<string[]> {
    const hashes: string[] = [];
    for (let number = 0; number <= (await this.latest()); number++) {
      const block = await this.ask<{ block_hash: string }>("starknet_getBlockWithTxHashes", [
        { block_number: number },
      ]);
      hashes.push(block.block_hash);
    }
    return hashes;
  }

  /** A client whose transactions are recorded. */
  account(index: number): Account {
    const { address, private_key: signer } = this.#entry(index);
    const provider = new RpcProvider({ nodeUrl: this.chain.url, baseFetch: this.#noting() });
    return new Account({ provider, address, signer });
  }

  /** A client for transactions before version 3; they are recorded. */
  oldAccount(index: number): OldAccount {
    const { address, private_key: key } = this.#entry(index);
    const nodeUrl = `${this.chain.url}/rpc/v0_7`;
    const provider = new OldProvider({ nodeUrl, baseFetch: this.#noting() });
    return new OldAccount(provider, address, key, "1");
  }

  #entry(index: number): AccountEntry {
    const entry = this.chain.accounts[index];
    if (entry === undefined) throw new RangeError(`there is no account ${index}`);
    return entry;
  }

  #noting(): typeof fetch {
    const noting = (...call: Parameters<typeof fetch>): Promise<Response> => {
      const { body } = call[1] ?? {};
      if (typeof body === "string" && body.includes('"starknet_add')) {
        const { method, params } = JSON.parse(body) as StoryRequest;
        this.#requests.push({ method, params });
      }
      return fetch(...call);
    };
    return noting as typeof fetch;
  }

  async #executed(count: number): Promise<void> {
    const done = () => this.ask("starknet_getBlockTransactionCount", ["pre_confirmed"]);
    while ((await done()) !== count) await Bun.sleep(2);
  }

  async #setTime(time: number): Promise<void> {
    await this.ask("devnet_setTime", { time, generate_block: false });
  }

  #timestampOf(number: number): number {
    return FIRST_TIMESTAMP + number * BLOCK_SECONDS;
  }
}

/** A Cairo 0 class of the fixtures. */
export function legacyClass(path: string): LegacyCompiledContract {
  return oldJson.parse(
    readFileSync(fixturePath("classes", path), "utf8"),
  ) as LegacyCompiledContract;
}

function argsOf(version: string): string[] {
  return [
    ...["--block-generation-on", "demand", "--keep-proofs", "archive"],
    ...["--chain-config-override", `latest_protocol_version=${version}`],
  ];
}
