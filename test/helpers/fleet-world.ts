import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import { blockKey } from "#services/replication/index.ts";
import { type AccountEntry, freePort, type RunningNode, startNode } from "./binary.ts";
import type { Signer } from "./load.ts";
import { type RunningStore, startStore } from "./running-store.ts";

/** Signing key used only by these tests. */
const SIGNING_KEY = "0x1234567890abcdef1234567890abcdef";

/** Options of a fleet. */
export interface FleetOptions {
  /** A separate folder. */
  readonly folder: string;
  readonly accounts: number;
  /** Time between blocks, also empty ones; `null` for blocks on demand without empty ones. */
  readonly blockTimeMs: number | null;
  /** Configuration file; `null` for the preset devnet. */
  readonly chainConfig: string | null;
  /** Additional arguments of every sequencer. */
  readonly args: readonly string[];
  /** Program of the store; `null` for the test server. */
  readonly storeProgram: string | null;
}

/** Place of one sequencer in a fleet: its folder and gateway address outlive its processes. */
export interface Seat {
  readonly index: number;
  readonly basePath: string;
  readonly gateway: string;
  node: RunningNode | undefined;
}

/**
 * Sequencers of one chain with a shared store, and full nodes; every process is the compiled
 * program.
 */
export class FleetWorld {
  readonly store: RunningStore;
  readonly seats: Seat[] = [];
  readonly followers: RunningNode[] = [];
  readonly #options: FleetOptions;
  readonly #keyFile: string;

  private constructor(options: FleetOptions, store: RunningStore) {
    this.#options = options;
    this.store = store;
    this.#keyFile = join(options.folder, "signing.key");
    writeFileSync(this.#keyFile, `${SIGNING_KEY}\n`, { mode: 0o600 });
  }

  /** Starts only the store. */
  static async open(options: FleetOptions): Promise<FleetWorld> {
    const store = await startStore(join(options.folder, "store"), options.storeProgram);
    return new FleetWorld(options, store);
  }

  /** Adds a place for a sequencer. */
  async addSeat(): Promise<Seat> {
    const index = this.seats.length;
    const basePath = join(this.#options.folder, `sequencer-${index}`);
    mkdirSync(basePath, { recursive: true });
    const gateway = `http://127.0.0.1:${await freePort()}`;
    const seat: Seat = { index, basePath, gateway, node: undefined };
    this.seats.push(seat);
    return seat;
  }

  /** Starts the sequencer of a place, which leads as soon as possible, or as a standby. */
  async start(
    seat: Seat,
    standby: boolean,
    storePort: number = this.store.port,
  ): Promise<RunningNode> {
    const { accounts, args, blockTimeMs } = this.#options;
    const node = await startNode({
      basePath: seat.basePath,
      command: ["sequencer", ...this.#chain],
      args: [
        ...["--publish-gate", this.store.url.replace(`:${this.store.port}`, `:${storePort}`)],
        ...(standby ? ["--standby"] : ["--config-out", this.#accountsFile]),
        ...["--private-key-file", this.#keyFile],
        ...["--gateway-port", new URL(seat.gateway).port],
        ...(blockTimeMs === null ? [] : ["--block-time", `${blockTimeMs}ms`]),
        ...["--dev-accounts", String(accounts)],
        ...args,
      ],
      env: this.store.env,
    });
    seat.node = node;
    return node;
  }

  /**
   * Starts a full node that follows the store and forwards transactions to every sequencer's
   * gateway.
   */
  async addFollower(more: readonly string[] = []): Promise<RunningNode> {
    const basePath = join(this.#options.folder, `follower-${this.followers.length}`);
    const node = await startNode({
      basePath,
      command: ["node", ...this.#chain, "--follow", this.store.url],
      args: [...this.seats.flatMap(({ gateway }) => ["--gateway-url", gateway]), ...more],
      env: this.store.env,
    });
    this.followers.push(node);
    return node;
  }

  /** A funded account of the chain; available once the chain has started. */
  signer(index: number): Signer {
    const written = JSON.parse(readFileSync(this.#accountsFile, "utf8")) as {
      readonly accounts: readonly AccountEntry[];
    };
    const entry = written.accounts.at(index);
    if (entry === undefined) throw new RangeError(`there is no account ${index}`);
    return { address: BigInt(entry.address), privateKey: BigInt(entry.private_key) };
  }

  /** Numbers of the blocks in the store, ascending. */
  publishedBlocks(): readonly number[] {
    return readdirSync(join(this.store.objectsFolder, "blocks"))
      .filter((name) => /^\d{12}$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Bundle of a block in the store. */
  published(blockNumber: number): BlockBundle {
    return decodeBundle(readFileSync(join(this.store.objectsFolder, blockKey(blockNumber))));
  }

  /** Stops all processes. */
  async stop(): Promise<void> {
    const nodes = [...this.followers, ...this.seats.flatMap(({ node }) => node ?? [])];
    await Promise.all(nodes.map((node) => node.stop("SIGKILL")));
    await this.store.stop();
  }

  get #chain(): readonly string[] {
    const { chainConfig } = this.#options;
    return chainConfig === null ? ["--preset", "devnet"] : ["--chain-config-path", chainConfig];
  }

  get #accountsFile(): string {
    return join(this.#options.folder, "accounts.json");
  }
}

/** Whether a node's gateway reports that it leads. */
export async function leads({ gateway }: Seat): Promise<boolean> {
  return fetch(`${gateway}/leader`).then(
    ({ status }) => status === 200,
    () => false,
  );
}
