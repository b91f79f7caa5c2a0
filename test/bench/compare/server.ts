import { readdirSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { BINARY, freePort, rawCall } from "#test/helpers/binary.ts";
import { DEVNET_PRICES } from "#test/helpers/fork/starknet-devnet.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { PostOrder, SenderKey } from "./transfer-messages.ts";

/** A development chain that can be started. */
export interface Server {
  /** Name in the table. */
  readonly name: string;
  readonly command: (port: number, folder: string, accounts: number) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly chainId: string;
  /** Maximum funded accounts at its start; a row with 256 senders needs that many. */
  readonly mostAccounts: number;
  /** Rate of transfers during the reads: at most what the server can handle. */
  readonly transfersBesideReads: number;
}

/** A started {@link Server} on an empty chain. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Destination and memory bound of posted transfers. */
  readonly target: Pick<PostOrder, "port" | "memory">;
  /** Time from the start of the process to its first response. */
  readonly startMs: number;
  readonly accounts: readonly SenderKey[];
  /** Data folder of the server. */
  readonly folder: string;
  /** Size of all files in its folder. */
  diskBytes(): number;
  /** Stops the process, so that its files are final. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const SEED = "7";
/** A server above this memory gets no more transfers: the rest is for other programs. */
const MOST_RESIDENT_MIB = integerOfEnvironment("MEMORY") ?? (totalmem() / 2 ** 20) * 0.75;

/** This chain. */
export function ourServer(binary: string = process.env["BINARY"] ?? BINARY): Server {
  return {
    name: "appchain",
    command: (port, folder, accounts) => [
      binary,
      ...["sequencer", "--preset", "devnet", "--base-path", folder, "--log-level", "warn"],
      ...["--rpc-port", String(port), "--metrics-port", "off"],
      ...["--dev-accounts", String(accounts), "--dev-seed", SEED],
    ],
    env: {},
    chainId: "APPCHAIN_DEVNET",
    mostAccounts: 256,
    transfersBesideReads: 500,
  };
}

/** This chain, responding once a transaction is on disk instead of when its block is accepted. */
export function ourServerOnReceipt(): Server {
  const server = ourServer();
  return {
    ...server,
    name: "appchain, answers on receipt",
    env: { APPCHAIN_ASYNC_SUBMISSION: "true" },
  };
}

/**
 * starknet-devnet 0.8.1 with its defaults: a block per transaction, with a response once it is
 * accepted. Its prices are as low as ours, so that the same bounds work for both; it counts
 * accounts in a byte.
 */
export function devnetServer(binary: string): Server {
  return {
    name: "starknet-devnet",
    command: (port, _, accounts) => [
      binary,
      ...["--port", String(port), "--accounts", String(accounts), "--seed", SEED],
      ...DEVNET_PRICES,
    ],
    env: { RUST_LOG: "error" },
    chainId: "SN_SEPOLIA",
    mostAccounts: 255,
    transfersBesideReads: 100,
  };
}

// Interrupting the measurement also ends the servers: some use gigabytes.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

/** Starts a server on an empty chain and waits for its first response. */
export async function startServer(server: Server, accounts: number): Promise<RunningServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedMs = performance.now();
  const child = Bun.spawn([...server.command(port, folder.path, accounts)], {
    cwd: folder.path,
    env: { ...process.env, ...server.env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const kill = (): void => child.kill("SIGKILL");
  process.on("exit", kill);
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() - startedMs > START_TIMEOUT_MS) {
      throw new TypeError(`${server.name} did not start (exit code ${child.exitCode})`);
    }
    await Bun.sleep(1);
  }
  const startMs = performance.now() - startedMs;
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(kill, START_TIMEOUT_MS);
    await child.exited;
    clearTimeout(timer);
    process.off("exit", kill);
  };
  return {
    url,
    port,
    pid: child.pid,
    target: { port, memory: { pid: child.pid, mostResidentMiB: MOST_RESIDENT_MIB } },
    startMs,
    accounts: await fundedAccounts(url),
    folder: folder.path,
    diskBytes: () => bytesBelow(folder.path),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      folder[Symbol.dispose]();
    },
  };
}

function answers(url: string): Promise<boolean> {
  return rawCall(url, "starknet_blockNumber").then(
    ({ result }) => result !== undefined,
    () => false,
  );
}

async function fundedAccounts(url: string): Promise<readonly SenderKey[]> {
  const { result } = await rawCall(url, "devnet_getPredeployedAccounts", {});
  const accounts = result as readonly { readonly address: string; readonly private_key: string }[];
  return accounts.map(({ address, private_key: privateKey }) => ({ address, privateKey }));
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
