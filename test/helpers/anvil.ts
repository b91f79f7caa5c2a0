import { resolve } from "node:path";
import { createTestClient, http, publicActions, walletActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { freePort } from "./binary.ts";

/**
 * Private key of the first account that anvil funds: from the well-known mnemonic "test test …
 * junk".
 */
export const ANVIL_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** Private keys of the second and third account that anvil funds. */
export const ANVIL_OTHER_KEYS = [
  "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
] as const;

/** A running anvil. */
export type RunningAnvil = Awaited<ReturnType<typeof startAnvil>>;

/** The executable itself: the package's launcher does not pass a kill on to it. */
const ANVIL = resolve(
  import.meta.dir,
  `../../node_modules/@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : "arm64"}/bin/anvil`,
);

const READY_TIMEOUT_MS = 60_000;

/**
 * Starts anvil as L1: blocks on demand, `finalized` two blocks behind.
 *
 * @param args - additional arguments, for example `--block-time 1`; the last ones win
 */
export async function startAnvil(args: readonly string[] = []) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = [ANVIL, "--port", String(port), "--slots-in-an-epoch", "1", "--silent", ...args];
  const child = Bun.spawn(command, {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const client = createTestClient({
    mode: "anvil",
    chain: foundry,
    account: privateKeyToAccount(ANVIL_KEY),
    pollingInterval: 50,
    transport: http(url),
  })
    .extend(publicActions)
    .extend(walletActions);
  const untilMs = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await client.getChainId();
      break;
    } catch (cause) {
      if (performance.now() > untilMs) throw cause;
      await Bun.sleep(50);
    }
  }
  return {
    url,
    port,
    /** viem client with test, public and wallet actions, for the first account. */
    client,
    async stop(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
