import { encodeFunctionData, toHex } from "viem";
import { type RunningAnvil, startAnvil } from "./anvil.ts";
import { resultOf, type RunningChain, startChain } from "./binary.ts";
import { CORE_ABI } from "./l1-core-abi.ts";
import { deployCore, type DeployedCore, postUpdate, type TestUpdate } from "./l1-core.ts";
import { type L1Proxy, startL1Proxy } from "./l1-proxy.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

/** Deadline for expected events. */
const DEADLINE_MS = 40_000;

/** Minimum blocks of {@link L1FaultWorld.makeBlocks}. */
const FEWEST_BLOCKS = 3;

type State = TestUpdate["next"];

interface Block {
  readonly block_number: number;
  readonly block_hash: string;
  readonly new_root: string;
  readonly status: string;
}

interface L1HandlerJson {
  readonly type: string;
  readonly nonce: string;
  readonly calldata: readonly string[];
}

interface BlockWithTransactions {
  readonly transactions: readonly L1HandlerJson[];
}

/** A chain that follows an anvil over two endpoints, each of which can lie. */
export class L1FaultWorld {
  readonly anvil: RunningAnvil;
  readonly proxies: readonly [L1Proxy, L1Proxy];
  /** Confirmations before an L1 block counts. */
  readonly #depth: number;
  readonly #core: DeployedCore;
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly #logs: string[] = [];
  #chain: RunningChain | undefined;
  #onL1: State = { root: 0n, number: -1n, hash: 0n };
  /** State on L1 before the newest update. */
  #settledBelow: State = { root: 0n, number: -1n, hash: 0n };
  /** Number of sent messages. */
  sent = 0;

  private constructor(
    anvil: RunningAnvil,
    proxies: readonly [L1Proxy, L1Proxy],
    core: DeployedCore,
    depth: number,
  ) {
    this.anvil = anvil;
    this.proxies = proxies;
    this.#core = core;
    this.#depth = depth;
  }

  /** Starts only L1. */
  static async start(depth: number): Promise<L1FaultWorld> {
    const anvil = await startAnvil();
    try {
      const core = await deployCore(anvil);
      await anvil.client.mine({ blocks: depth + 1 });
      const proxies = [await startL1Proxy(anvil.url), await startL1Proxy(anvil.url)] as const;
      return new L1FaultWorld(anvil, proxies, core, depth);
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }

  /** The latest process. */
  get chain(): RunningChain {
    if (this.#chain === undefined) throw new TypeError("no chain was started");
    return this.#chain;
  }

  async startChain(): Promise<void> {
    if (this.#chain !== undefined) this.#logs.push(this.#chain.output());
    this.#chain = await startChain({
      basePath: this.#folder.path,
      args: [
        ...this.proxies.flatMap(({ url }) => ["--l1-endpoint", url]),
        ...["--l1-finality", String(this.#depth), "--strk-per-eth", "2500"],
        ...["--gas-price-poll", "1s", "--chain-config-override"],
        `eth_core_contract_address=${this.#core.address}`,
      ],
    });
  }

  /** Logs of all processes. */
  log(): string {
    return [...this.#logs, this.chain.output()].join("\n");
  }

  /** Makes both endpoints honest; hanging responses are aborted. */
  honest(): void {
    for (const proxy of this.proxies) proxy.honest();
  }

  /** Newest block of L1. */
  async head(): Promise<number> {
    return Number(await this.anvil.client.getBlockNumber({ cacheTime: 0 }));
  }

  async mine(blocks: number): Promise<void> {
    await this.anvil.client.mine({ blocks });
  }

  /** Sends a message to an address without a contract. @returns its nonce */
  async send(): Promise<number> {
    const { client } = this.anvil;
    const hash = await client.sendTransaction(this.#message(this.sent));
    await client.waitForTransactionReceipt({ hash });
    return this.sent++;
  }

  /**
   * Replaces L1's newest blocks by as many others without updates.
   *
   * @param kept - nonces of the messages that the first new block contains again
   */
  async reorg(blocks: number, kept: readonly number[]): Promise<void> {
    const { client } = this.anvil;
    const { root, number, hash } = this.#settledBelow;
    this.#onL1 = { root, number, hash };
    const from = client.account.address;
    const transactions = kept.map((nonce) => {
      const { to, data, value } = this.#message(nonce);
      return [{ from, to, data, value: toHex(value), gas: toHex(1_000_000) }, 0];
    });
    const request = client.request as (asked: { method: string; params: unknown }) => Promise<null>;
    await request({ method: "anvil_reorg", params: [blocks, transactions] });
  }

  #message(nonce: number) {
    const data = encodeFunctionData({
      abi: CORE_ABI,
      functionName: "sendMessageToL2",
      args: [0x1234n, 0x5678n, [BigInt(nonce)]],
    });
    return { to: this.#core.address, data, value: 1n };
  }

  /** Settles the newest block on L1. @returns its number */
  async settleNewest(): Promise<number> {
    const block = await this.#block(await this.blockNumber());
    const { block_number, block_hash, new_root } = block;
    const next = { root: BigInt(new_root), number: BigInt(block_number), hash: BigInt(block_hash) };
    const update = { previous: this.#onL1, next, toL1: [], toL2: [] };
    const { status } = await postUpdate(this.anvil, this.#core, update);
    if (status !== "success") throw new TypeError("the update was refused");
    this.#settledBelow = this.#onL1;
    this.#onL1 = next;
    return block_number;
  }

  blockNumber(): Promise<number> {
    return resultOf<number>(this.chain, "starknet_blockNumber");
  }

  async isSettled(blockNumber: number): Promise<boolean> {
    return (await this.#block(blockNumber)).status === "ACCEPTED_ON_L1";
  }

  /** Creates blocks for a time, at least three; each must succeed. */
  async makeBlocks(durationMs: number): Promise<void> {
    const endsAtMs = performance.now() + durationMs;
    for (let made = 0; made < FEWEST_BLOCKS || performance.now() < endsAtMs; made++) {
      await resultOf(this.chain, "devnet_createBlock");
      await Bun.sleep(100);
    }
  }

  /** Nonces of the messages in blocks, in order. */
  async executed(): Promise<readonly number[]> {
    return (await this.#handlers()).map(({ nonce }) => Number(nonce));
  }

  /** Payloads of the messages in blocks, from {@link send}. */
  async payloads(): Promise<readonly number[]> {
    return (await this.#handlers()).map(({ calldata }) => Number(calldata[1]));
  }

  async #handlers(): Promise<readonly L1HandlerJson[]> {
    await resultOf(this.chain, "devnet_createBlock");
    const newest = await this.blockNumber();
    const found: L1HandlerJson[] = [];
    for (let block_number = 0; block_number <= newest; block_number++) {
      const { transactions } = await resultOf<BlockWithTransactions>(
        this.chain,
        "starknet_getBlockWithTxs",
        [{ block_number }],
      );
      found.push(...transactions.filter(({ type }) => type === "L1_HANDLER"));
    }
    return found;
  }

  /** Waits until a condition holds. */
  async until(what: () => Promise<boolean>): Promise<void> {
    for (const endsAtMs = performance.now() + DEADLINE_MS; !(await what()); await Bun.sleep(200)) {
      if (performance.now() > endsAtMs) throw new TypeError(`it did not come:\n${this.log()}`);
    }
  }

  async stop(): Promise<void> {
    await this.#chain?.stop();
    for (const proxy of this.proxies) await proxy[Symbol.asyncDispose]();
    await this.anvil.stop();
    this.#folder[Symbol.dispose]();
  }

  #block(block_number: number): Promise<Block> {
    return resultOf<Block>(this.chain, "starknet_getBlockWithTxHashes", [{ block_number }]);
  }
}
