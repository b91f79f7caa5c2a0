import { type AccountEntry, freePort, resultOf } from "../binary.ts";

/** Version that is compared; others may differ elsewhere. */
export const DEVNET_VERSION = "0.10.1";

/** Path of the program: the variable STARKNET_DEVNET, otherwise the one on the PATH. */
const program = Bun.which(process.env["STARKNET_DEVNET"] ?? "starknet-devnet");

/** Whether {@link startDevnet} can start the program in the compared version. */
export const hasDevnet: boolean = program !== null && versionOf(program) === DEVNET_VERSION;

/** Prefix of the names of tests that need the program; without it they are skipped and counted. */
export const NEEDS_DEVNET = `[starknet-devnet] ${DEVNET_VERSION}: `;

function versionOf(path: string): string | undefined {
  const { stdout } = Bun.spawnSync([path, "--version"], { stderr: "ignore" });
  return stdout.toString().trim().split(" ").at(-1);
}

/** Arguments of starknet-devnet: prices below the bounds of the transfers, which its defaults exceed. */
export const DEVNET_PRICES: readonly string[] = [
  ...["--gas-price-fri", "1000"],
  ...["--data-gas-price-fri", "1000"],
  ...["--l2-gas-price-fri", "1000"],
];

/** A running starknet-devnet. */
export interface RunningDevnet extends AsyncDisposable {
  readonly url: string;
  /** The funded accounts. */
  readonly accounts: readonly AccountEntry[];
}

const START_TIMEOUT_MS = 60_000;

/** Starts starknet-devnet on a free port, and waits until it responds. */
export async function startDevnet(args: readonly string[]): Promise<RunningDevnet> {
  const port = await freePort();
  const child = Bun.spawn([program ?? "", "--port", String(port), ...args], {
    env: { ...process.env, RUST_LOG: "error" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const kill = (): void => child.kill("SIGKILL");
  process.on("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  const endsAtMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isAlive(url))) {
    if (child.exitCode !== null || performance.now() > endsAtMs) {
      kill();
      throw new TypeError(
        `starknet-devnet did not start: ${await new Response(child.stderr).text()}`,
      );
    }
    await Bun.sleep(20);
  }
  return {
    url,
    accounts: await resultOf<AccountEntry[]>({ url }, "devnet_getPredeployedAccounts", {}),
    async [Symbol.asyncDispose]() {
      kill();
      await child.exited;
      process.off("exit", kill);
    },
  };
}

function isAlive(url: string): Promise<boolean> {
  return fetch(`${url}/is_alive`).then(
    ({ ok }) => ok,
    () => false,
  );
}
