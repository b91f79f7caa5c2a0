import { type Hex, keccak256, numberToHex, stringToHex, toHex } from "viem";
import { type RunningAnvil, startAnvil } from "./anvil.ts";
import { rawCall, resultOf, type RunningChain, startChain } from "./binary.ts";
import { deployCore, type DeployedCore, postUpdate, type TestUpdate } from "./l1-core.ts";
import { type L1Proxy, startL1Proxy } from "./l1-proxy.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

type State = TestUpdate["next"];

/** Deadline for expected events. */
const DEADLINE_MS = 60_000;

/** Storage slot of the core contract's root; its block number and hash follow. */
const STATE_SLOT = BigInt(keccak256(stringToHex("STARKNET_1.0_INIT_STARKNET_STATE_STRUCT")));

const NOTHING: State = { root: 0n, number: -1n, hash: 0n };

/** Start options of the chain, apart from L1. */
export interface RootWorldOptions {
  readonly endpoints: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A chain that follows an anvil, with each endpoint behind a proxy that can lie. */
export class L1RootWorld implements AsyncDisposable {
  readonly anvil: RunningAnvil;
  readonly proxies: readonly L1Proxy[];
  readonly #core: DeployedCore;
  readonly #options: RootWorldOptions;
  readonly #folder: TemporaryFolder = temporaryFolder();
  #chain: RunningChain | undefined;
  /** State of the core contract. */
  #onL1 = NOTHING;

  private constructor(
    anvil: RunningAnvil,
    proxies: readonly L1Proxy[],
    core: DeployedCore,
    options: RootWorldOptions,
  ) {
    this.anvil = anvil;
    this.proxies = proxies;
    this.#core = core;
    this.#options = options;
  }

  /** Starts L1 and the chain. */
  static async start(options: RootWorldOptions): Promise<L1RootWorld> {
    const anvil = await startAnvil();
    try {
      const core = await deployCore(anvil);
      await anvil.client.mine({ blocks: 2 });
      const proxies: L1Proxy[] = [];
      for (let i = 0; i < options.endpoints; i++) proxies.push(await startL1Proxy(anvil.url));
      const world = new L1RootWorld(anvil, proxies, core, options);
      await world.startChain();
      return world;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }

  get chain(): RunningChain {
    if (this.#chain === undefined) throw new TypeError("no chain was started");
    return this.#chain;
  }

  /** The chain's data directory. */
  get basePath(): string {
    return this.#folder.path;
  }

  /** State of the core contract. */
  get onL1(): State {
    return this.#onL1;
  }

  async startChain(args: readonly string[] = []): Promise<void> {
    this.#chain = await startChain({
      basePath: this.#folder.path,
      args: [
        ...this.proxies.flatMap(({ url }) => ["--l1-endpoint", url]),
        ...["--l1-finality", "1", "--strk-per-eth", "2500", "--gas-price-poll", "1s"],
        ...["--chain-config-override", `eth_core_contract_address=${this.#core.address}`],
        ...(this.#options.args ?? []),
        ...args,
      ],
      env: this.#options.env ?? {},
    });
  }

  /** Creates blocks. @returns whether all of them were created */
  async makeBlocks(count: number): Promise<boolean> {
    for (let i = 0; i < count; i++) {
      const { error } = await rawCall(this.chain.url, "devnet_createBlock");
      if (error !== undefined) return false;
    }
    return true;
  }

  /**
   * Grows the chain by this many blocks, or waits for them if it has a block time. @returns the
   * newest
   */
  async growBy(count: number): Promise<number> {
    const target = (await this.newest()) + count;
    for (const until = performance.now() + DEADLINE_MS; ; await Bun.sleep(100)) {
      const newest = await this.newest();
      if (newest >= target) return newest;
      if (performance.now() > until) throw new TypeError(`no blocks:\n${this.chain.output()}`);
      await this.makeBlocks(1);
    }
  }

  newest(): Promise<number> {
    return resultOf<number>(this.chain, "starknet_blockNumber");
  }

  /** Root and hash of one of the chain's blocks. */
  async stateOf(block_number: number): Promise<State> {
    const block = await this.#block(block_number);
    return {
      root: BigInt(block.new_root),
      number: BigInt(block_number),
      hash: BigInt(block.block_hash),
    };
  }

  async isSettled(block_number: number): Promise<boolean> {
    return (await this.#block(block_number)).status === "ACCEPTED_ON_L1";
  }

  /** Settles a state on L1, true or not. @returns the L1 block with the update */
  async settle(next: State): Promise<number> {
    const update = { previous: this.#onL1, next, toL1: [], toL2: [] };
    const receipt = await postUpdate(this.anvil, this.#core, update);
    if (receipt.status !== "success") throw new TypeError("the core contract refused the update");
    this.#onL1 = next;
    return Number(receipt.blockNumber);
  }

  /** Resets the core contract to a state, as its governor does with an upgrade. */
  async putBack(state: State): Promise<void> {
    const values = [state.root, state.number, state.hash];
    for (const [index, value] of values.entries()) {
      await this.anvil.client.setStorageAt({
        address: this.#core.address,
        index: toHex(STATE_SLOT + BigInt(index), { size: 32 }),
        value: toHex(BigInt.asUintN(256, value), { size: 32 }),
      });
    }
    this.#onL1 = state;
  }

  /** Mines L1 blocks until a condition holds. @returns whether it did */
  async mineUntil(what: () => Promise<boolean>): Promise<boolean> {
    for (const until = performance.now() + DEADLINE_MS; performance.now() < until;) {
      if (await what()) return true;
      await this.anvil.client.mine({ blocks: 1 });
      await Bun.sleep(300);
    }
    return false;
  }

  /** Status of `/ready`, and the reason. */
  async readiness(): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.chain.url}/ready`);
    return { status: response.status, text: await response.text() };
  }

  /** Makes an endpoint report an update that L1 does not have, in an existing L1 block. */
  forgeLog(proxy: L1Proxy, l1Block: number, state: State, times?: number): void {
    proxy.add({
      methods: ["eth_getLogs"],
      ...(times !== undefined && { times }),
      lie: async ({ call, result }) => {
        const logs = await result<readonly Readonly<Record<string, unknown>>[]>();
        const [filter] = call.params as [{ readonly fromBlock: Hex; readonly toBlock: Hex }];
        const isAsked = Number(filter.fromBlock) <= l1Block && l1Block <= Number(filter.toBlock);
        const params = [numberToHex(l1Block), false];
        const block = await result<{ hash: Hex } | null>({
          method: "eth_getBlockByNumber",
          params,
        });
        const forged = block === null || !isAsked ? [] : [this.#logOf(l1Block, block.hash, state)];
        const isBefore = (log: Readonly<Record<string, unknown>>): boolean =>
          Number(log["blockNumber"]) <= l1Block;
        const all = [...logs.filter(isBefore), ...forged, ...logs.filter((log) => !isBefore(log))];
        return said(all);
      },
    });
  }

  /** Makes an endpoint report a false state of the core contract. */
  forgeState(proxy: L1Proxy, { root, number, hash }: State): void {
    const values = new Map(
      (
        [
          ["stateRoot()", root],
          ["stateBlockNumber()", number],
          ["stateBlockHash()", hash],
        ] as const
      ).map(([signature, value]) => [keccak256(stringToHex(signature)).slice(0, 10), value]),
    );
    proxy.add({
      methods: ["eth_call"],
      lie: ({ call, honest }) => {
        const [{ data }] = call.params as [{ readonly data: string }];
        const value = values.get(data);
        return value === undefined ? honest() : said(toHex(value, { size: 32 }));
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chain?.stop();
    for (const proxy of this.proxies) await proxy[Symbol.asyncDispose]();
    await this.anvil.stop();
    this.#folder[Symbol.dispose]();
  }

  #logOf(l1Block: number, blockHash: Hex, { root, number, hash }: State) {
    return {
      address: this.#core.address.toLowerCase(),
      topics: [keccak256(stringToHex("LogStateUpdate(uint256,int256,uint256)"))],
      data: `0x${[root, number, hash].map((value) => toHex(value, { size: 32 }).slice(2)).join("")}`,
      blockNumber: numberToHex(l1Block),
      blockHash,
      transactionHash: toHex(0xf0_4e_edn, { size: 32 }),
      transactionIndex: "0x63",
      logIndex: "0x270f",
      removed: false,
    };
  }

  #block(block_number: number) {
    return resultOf<{ new_root: string; block_hash: string; status: string }>(
      this.chain,
      "starknet_getBlockWithTxHashes",
      [{ block_number }],
    );
  }
}

function said(result: unknown) {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, text: JSON.stringify({ jsonrpc: "2.0", id: 1, result }) };
}
