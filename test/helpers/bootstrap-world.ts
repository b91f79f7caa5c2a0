import { readFileSync } from "node:fs";
import type { Hex } from "#app/bootstrap/index.ts";
import { l1Artifact, type L1ContractName } from "#app/bootstrap/l1/artifacts.ts";
import { startAnvil } from "./anvil.ts";
import { BINARY, type RunningNode, startNode } from "./binary.ts";
import { runtimeSettings } from "./environment.ts";
import { type L1Proxy, type L1Rule, startL1Proxy } from "./l1-proxy.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Exit code, output and processor time of a run of `appchain bootstrap`. */
export interface BootstrapRun {
  /** Exit code; `null` if the program was killed. */
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  /** Processor time of the program, in milliseconds. */
  readonly cpuMs: number;
}

/** Options of a world. */
export interface BootstrapWorldOptions {
  readonly preset: string;
  readonly chainId: string;
  /** Additional options of the sequencer. @param l1Url - URL of the L1 that it follows */
  readonly sequencerArgs: (l1Url: string) => readonly string[];
  /** Additional options of anvil. */
  readonly anvilArgs: readonly string[];
  /** Options of every run of the bootstrap. */
  readonly args: readonly string[];
  /** Additional environment variables of the bootstrap. */
  readonly environment: Readonly<Record<string, string>>;
}

/** JSON-RPC methods that send transactions. */
const SENDING = [
  "eth_sendRawTransaction",
  "starknet_addDeclareTransaction",
  "starknet_addDeployAccountTransaction",
  "starknet_addInvokeTransaction",
];

/** Above the number of transactions of a command: more kills mean that it repeats them. */
const MOST_KILLS = 10;

/** An L1 and a sequencer behind proxies, to be set up. */
export class BootstrapWorld implements AsyncDisposable {
  readonly l1: Awaited<ReturnType<typeof startAnvil>>;
  readonly #options: BootstrapWorldOptions;
  readonly #folder = temporaryFolder();
  readonly #l1Proxy: L1Proxy;
  /** Unreachable until the sequencer is started. */
  readonly #l2Proxy: L1Proxy;
  #sequencer: RunningNode | undefined;
  #follower: RunningNode | undefined;
  #child: Bun.Subprocess | undefined;

  private constructor(
    options: BootstrapWorldOptions,
    l1: Awaited<ReturnType<typeof startAnvil>>,
    proxies: readonly [L1Proxy, L1Proxy],
  ) {
    this.#options = options;
    this.l1 = l1;
    [this.#l1Proxy, this.#l2Proxy] = proxies;
  }

  static async start(options: BootstrapWorldOptions): Promise<BootstrapWorld> {
    const l1 = await startAnvil(options.anvilArgs);
    const proxies = [await startL1Proxy(l1.url), await startL1Proxy("http://127.0.0.1:1")] as const;
    return new BootstrapWorld(options, l1, proxies);
  }

  /** The running sequencer. */
  get sequencer(): RunningNode {
    if (this.#sequencer === undefined) throw new TypeError("the sequencer was not started");
    return this.#sequencer;
  }

  /** Starts the sequencer with the options of the plan. */
  async startSequencer(): Promise<void> {
    const { sequencerArgs } = this.#options;
    this.#sequencer = await startNode({
      command: ["sequencer", ...(await this.#chainArgs()), ...sequencerArgs(this.l1.url)],
      basePath: this.#folder.file("chain"),
    });
    this.#l2Proxy.upstream = this.#sequencer.url;
  }

  /** Starts a full node of the chain with its own L1 endpoint. */
  async startFollower(gatewayUrl: string, args: readonly string[]): Promise<RunningNode> {
    this.#follower = await startNode({
      command: ["node", ...(await this.#chainArgs()), "--gateway-url", gatewayUrl, ...args],
      basePath: this.#folder.file("follower"),
    });
    return this.#follower;
  }

  /** Arguments of a chain: the preset with the options of the plan. */
  async #chainArgs(): Promise<readonly string[]> {
    const { out } = await this.run(["--plan"]);
    const line = out.trim().split("\n").at(-1) ?? "";
    return ["--preset", this.#options.preset, ...line.split(" ")];
  }

  /** Path of a file of the world. */
  file(name: string): string {
    return this.#folder.file(name);
  }

  /** Planned addresses by name. */
  async planned(): Promise<Readonly<Record<string, string>>> {
    const { out } = await this.run(["--plan"]);
    const lines = out.trim().split("\n").slice(0, -2);
    return Object.fromEntries(lines.map((line) => line.split(/ +/) as [string, string]));
  }

  /** Contents of the address file, without the parameters of the bootstrap. */
  addresses(): Readonly<Record<string, string>> {
    const text = readFileSync(this.#folder.file("addresses.json"), "utf8");
    const { bootstrap: _, ...addresses } = JSON.parse(text) as Record<string, string>;
    return addresses;
  }

  /** Runs `appchain bootstrap`. @param whenPrinted - kills it once it has printed this */
  run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    whenPrinted?: string,
  ): Promise<BootstrapRun> {
    const command = ["bootstrap", ...this.#options.args, ...args];
    return this.command(command, environment, whenPrinted);
  }

  /** Runs a command with the environment of the bootstrap and the world's address file. */
  async command(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    whenPrinted?: string,
  ): Promise<BootstrapRun> {
    const addresses = ["--addresses", this.#folder.file("addresses.json")];
    const child = Bun.spawn(
      [BINARY, ...words, ...(words.includes("--addresses") ? [] : addresses)],
      {
        cwd: this.#folder.path,
        env: {
          ...runtimeSettings(),
          APP_CHAIN_ID: this.#options.chainId,
          // Compilations take long under the load of other tests.
          L1_WAIT_TIME: "60",
          ETH_RPC: this.#l1Proxy.url,
          ROLLUP_SEQ_URL: this.#l2Proxy.url,
          ...this.#options.environment,
          ...environment,
        },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    this.#child = child;
    const read = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        text += decoder.decode(chunk, { stream: true });
        if (whenPrinted !== undefined && text.includes(whenPrinted)) child.kill("SIGKILL");
      }
      return text;
    };
    const [out, err] = await Promise.all([read(child.stdout), read(child.stderr)]);
    await child.exited;
    const { cpuTime } = child.resourceUsage() ?? {};
    // Converts from microseconds.
    return { exitCode: child.exitCode, out, err, cpuMs: Number(cpuTime?.total ?? 0n) / 1000 };
  }

  /**
   * Runs the bootstrap, and kills it after the node received its n-th transaction and before the
   * response.
   */
  async runKilledAtSend(n: number, args: readonly string[] = []): Promise<BootstrapRun> {
    let left = n;
    const rule: L1Rule = {
      methods: SENDING,
      lie: async ({ honest }) => {
        const said = await honest();
        left--;
        if (left > 0) return said;
        this.#child?.kill("SIGKILL");
        return undefined;
      },
    };
    const rules = [this.#l1Proxy.add(rule), this.#l2Proxy.add(rule)];
    try {
      return await this.run(args);
    } finally {
      for (const each of rules) each.end();
    }
  }

  /**
   * Repeats a command until it is no longer killed. Each transaction kills it twice: before the
   * node receives it, and before the node's response arrives.
   */
  async commandKilledAtSends(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<BootstrapRun & { readonly kills: number }> {
    const sends = new Map<string, number>();
    const rule: L1Rule = {
      methods: SENDING,
      lie: async ({ call, honest }) => {
        const text = JSON.stringify(call.params);
        const before = sends.get(text) ?? 0;
        sends.set(text, before + 1);
        const said = before === 0 ? undefined : await honest();
        if (before > 1) return said;
        this.#child?.kill("SIGKILL");
        return undefined;
      },
    };
    const rules = [this.#l1Proxy.add(rule), this.#l2Proxy.add(rule)];
    try {
      for (let kills = 0; ; kills++) {
        const run = await this.command(words, environment);
        if (run.exitCode !== null || kills > MOST_KILLS) return { ...run, kills };
      }
    } finally {
      for (const each of rules) each.end();
    }
  }

  /** Accepts a nomination as governor of contracts on L1. */
  async acceptOnL1(governor: Hex): Promise<void> {
    const { client } = this.l1;
    const {
      l1_core_contract_address: core = "",
      ETH_l1_bridge_address: ethBridge = "",
      ERC20_l1_bridge_address: tokenBridge = "",
      ERC20_l1_manager_address: manager = "",
    } = this.addresses();
    const calls: readonly (readonly [L1ContractName, string, string])[] = [
      ["CoreContract", core, "starknetAcceptGovernance"],
      ["Proxy", core, "proxyAcceptGovernance"],
      ["EthBridge", ethBridge, "acceptGovernance"],
      ["TokenBridge", tokenBridge, "acceptGovernance"],
      ["TokenManager", manager, "acceptGovernance"],
    ];
    await client.impersonateAccount({ address: governor });
    for (const [name, address, functionName] of calls) {
      const { abi } = l1Artifact(name);
      const to = { address: address as Hex, abi, functionName, args: [] };
      const hash = await client.writeContract({ ...to, account: governor });
      const { status } = await client.waitForTransactionReceipt({ hash });
      if (status !== "success") throw new RangeError(`${functionName} of ${name} failed`);
    }
  }

  /** Numbers of included transactions of L1's deployer and L2's account. */
  async nonces(): Promise<readonly [l1: number, l2: number]> {
    const { account_address: account = "" } = this.addresses();
    const [address] = await this.l1.client.getAddresses();
    if (address === undefined) throw new TypeError("anvil has no account");
    const l2 = await this.sequencer.provider.getNonceForAddress(account, "pre_confirmed");
    return [await this.l1.client.getTransactionCount({ address }), Number(l2)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower?.stop("SIGKILL");
    await this.#sequencer?.stop("SIGKILL");
    await this.#l1Proxy[Symbol.asyncDispose]();
    await this.#l2Proxy[Symbol.asyncDispose]();
    await this.l1.stop();
    this.#folder[Symbol.dispose]();
  }
}
