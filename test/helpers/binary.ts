import { afterAll, expect } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { Account, RpcProvider } from "starknet";
import type { Signer } from "./load.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

/** Path of the compiled executable that end-to-end tests run. */
export const BINARY: string = resolve(import.meta.dir, "../../dist/appchain");

/** Below the ephemeral ports of systems: those of Linux start at 32768. */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/**
 * Workers of the test runner use different parts of the port range: they cannot know which free
 * ports another worker has handed out. Programs without a worker number use a random part.
 */
const PARTS = 16;
const PART_PORTS = (LAST_PORT - FIRST_PORT) / PARTS;
const part = Number(process.env["BUN_TEST_WORKER_ID"] ?? process.pid) % PARTS;

/** Ports handed out so far: a process may be about to listen on them. */
const handedOut = new Set<number>();

/** Returns a port that was free a moment ago and that is handed out only once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor((part + Math.random()) * PART_PORTS);
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.on("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}

/** Development account as the file of `--config-out` lists it. */
export interface AccountEntry {
  readonly address: string;
  readonly private_key: string;
  readonly public_key: string;
}

/**
 * Sequencer process of the compiled executable, with clients of it and the development accounts.
 */
export interface RunningChain {
  readonly url: string;
  readonly rpcPort: number;
  readonly metricsPort: number;
  readonly provider: RpcProvider;
  readonly accounts: readonly AccountEntry[];
  /** Process id. */
  readonly pid: number;
  /** Output so far, both streams. */
  output(): string;
  /** Client of one of the funded accounts; -1 is the last. */
  account(index: number): Account;
  /** Key of one of the funded accounts, as for {@link account}. */
  signer(index: number): Signer;
  /** Settles with the exit code when the process exits. */
  readonly exited: Promise<number>;
  /** Stops the process with a signal and waits. @returns its exit code, or the signal's */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
}

/** Options of starting a sequencer process; all have a default. */
export interface StartOptions {
  /** Data directory; the parent of the temporary one of an ephemeral node. */
  readonly basePath: string;
  /** Whether the node is ephemeral. Default `false`. */
  readonly isEphemeral?: boolean;
  /** Default {@link BINARY}. */
  readonly binary?: string;
  /** Default devnet. */
  readonly preset?: string;
  /** Configuration file, instead of a preset. */
  readonly chainConfig?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Port of JSON-RPC: that of an earlier process, for its clients. Default a free one. */
  readonly rpcPort?: number;
}

/**
 * Environment variables of a development chain that responds to submissions on receipt: for load,
 * and for tests of intermediate states. Executables that do not know the variable ignore it.
 */
export const ASYNC_SUBMISSION: Readonly<Record<string, string>> = {
  APPCHAIN_ASYNC_SUBMISSION: "true",
};

/**
 * Environment variables of programs under test. Most run for seconds, so warming up does not pay
 * off. Their compilers run at normal priority.
 */
export const TEST_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  APPCHAIN_WARM_UP_TRANSFERS: "0",
  APPCHAIN_COMPILER_NICE: "0",
  ...process.env,
};

/**
 * Environment variables that turn on the warm-up, as on production nodes: the node loads its first
 * class and starts the compiler in advance.
 */
export const WARM: Readonly<Record<string, string>> = { APPCHAIN_WARM_UP_TRANSFERS: "1" };

/**
 * Environment variables that give compilers their default, low priority: for tests that load the
 * chain during compilations.
 */
export const LOW_COMPILERS: Readonly<Record<string, string>> = { APPCHAIN_COMPILER_NICE: "19" };

/** Environment variables of a node with several query threads, whatever the settings of the test run. */
export const SEVERAL_QUERY_THREADS: Readonly<Record<string, string>> = {
  APPCHAIN_QUERY_THREADS: "3",
};

/** Started processes: none outlives the tests, even if one fails. */
const running = new Set<Bun.Subprocess>();
const killRunning = (): void => {
  for (const child of running) child.kill("SIGKILL");
};
process.on("exit", killRunning);
// The test runner exits without that event; benchmarks have no runner, and workers no hooks.
if (process.env.NODE_ENV === "test" && isMainThread) afterAll(killRunning);

/** Process of the compiled executable that serves JSON-RPC, whatever its command. */
export type RunningNode = Pick<
  RunningChain,
  "url" | "rpcPort" | "metricsPort" | "provider" | "pid" | "output" | "exited" | "stop"
>;

/**
 * Options of starting a process of the executable: its command, and how its readiness is detected.
 */
export interface NodeStart extends Omit<StartOptions, "preset" | "chainConfig"> {
  /** The command and its specific options. */
  readonly command: readonly string[];
  /**
   * File that exists once the process is ready, in addition to a healthy `/health`; omitted if
   * there is no such file.
   */
  readonly readyFile?: string;
}

/**
 * Starts `dist/appchain` with a command that serves JSON-RPC, on free ports, and waits until it
 * responds.
 */
export async function startNode(options: NodeStart): Promise<RunningNode> {
  const rpcPort = options.rpcPort ?? (await freePort());
  const metricsPort = await freePort();
  const child = Bun.spawn(
    [
      options.binary ?? BINARY,
      ...options.command,
      ...(options.isEphemeral === true ? ["--ephemeral"] : ["--base-path", options.basePath]),
      "--rpc-port",
      String(rpcPort),
      "--metrics-port",
      String(metricsPort),
      ...(options.args ?? []),
    ],
    {
      cwd: options.cwd ?? "/",
      env: {
        ...TEST_ENVIRONMENT,
        ...(options.isEphemeral === true ? { TMPDIR: options.basePath } : {}),
        ...options.env,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  running.add(child);
  let output = "";
  const drain = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const drained = Promise.all([drain(child.stdout), drain(child.stderr)]);
  const url = `http://127.0.0.1:${rpcPort}`;
  await waitUntilReady(url, options.readyFile, child, () => output);
  return {
    url,
    rpcPort,
    metricsPort,
    pid: child.pid,
    provider: new RpcProvider({ nodeUrl: url }),
    output: () => output,
    exited: child.exited,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const code = await child.exited;
      running.delete(child);
      await drained;
      return code;
    },
  };
}

/** Starts `dist/appchain sequencer --preset ...` on free ports and waits until it responds. */
export async function startChain(options: StartOptions): Promise<RunningChain> {
  // The file is written last: once it exists, the node is ready.
  const configOut = join(options.basePath, "accounts.json");
  rmSync(configOut, { force: true });
  const { preset, chainConfig, ...start } = options;
  const node = await startNode({
    ...start,
    command: [
      "sequencer",
      ...(chainConfig === undefined
        ? ["--preset", preset ?? "devnet"]
        : ["--chain-config-path", chainConfig]),
      "--config-out",
      configOut,
    ],
    readyFile: configOut,
  });
  const { provider } = node;
  const written = JSON.parse(readFileSync(configOut, "utf8")) as { accounts: AccountEntry[] };
  const entryOf = (index: number): AccountEntry => {
    const entry = written.accounts.at(index);
    if (entry === undefined) throw new RangeError(`there is no account ${index}`);
    return entry;
  };
  return {
    ...node,
    accounts: written.accounts,
    account(index) {
      const { address, private_key: signer } = entryOf(index);
      return new Account({ provider, address, signer });
    },
    signer(index) {
      const { address, private_key: privateKey } = entryOf(index);
      return { address: BigInt(address), privateKey: BigInt(privateKey) };
    },
  };
}

/** Sends a JSON-RPC call without any client library. @returns the whole response object */
export async function rawCall(
  url: string,
  method: string,
  params: unknown = [],
): Promise<{ result?: unknown; error?: { code: number; message: string; data?: unknown } }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await response.json()) as Awaited<ReturnType<typeof rawCall>>;
}

/** Sends a {@link rawCall} that must succeed. @returns its result */
export async function resultOf<T>(
  { url }: Pick<RunningChain, "url">,
  method: string,
  params: unknown = [],
): Promise<T> {
  const { result, error } = await rawCall(url, method, params);
  expect(error).toBeUndefined();
  return result as T;
}
