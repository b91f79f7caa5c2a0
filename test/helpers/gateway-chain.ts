import { cpSync } from "node:fs";
import { freePort, resultOf, type RunningChain, type StartOptions } from "./binary.ts";
import type { TemporaryFolder } from "./temporary-folder.ts";
import { type UsedChain, useStoppedChain } from "./use-chain.ts";

/** A sequencer for full nodes to follow. It keeps its gateway's address across restarts. */
export interface GatewayChain extends UsedChain {
  /** Base URL of its gateway. */
  readonly gateway: string;
}

/** Options of a sequencer with a gateway. */
export interface GatewayChainOptions extends Omit<StartOptions, "basePath"> {
  /** A stopped chain that it continues in a copy of the folder. */
  readonly copyOf?: UsedChain;
  /** Changes the folder before the first start. */
  readonly prepare?: (folder: TemporaryFolder) => void;
}

/** Command line arguments of a development chain that makes blocks only on request. */
export const ON_DEMAND: readonly string[] = ["--block-generation-on", "demand"];

/**
 * A sequencer with a gateway that the tests of the file or `describe` start; it is stopped after
 * them.
 */
export function useGatewayChain({
  copyOf,
  prepare,
  ...start
}: GatewayChainOptions = {}): GatewayChain {
  let gateway = "";
  const chain = useStoppedChain(async (folder) => {
    const port = await freePort();
    gateway = `http://127.0.0.1:${port}`;
    if (copyOf !== undefined) cpSync(copyOf.folder.path, folder.path, { recursive: true });
    prepare?.(folder);
    return { ...start, args: [...(start.args ?? []), "--gateway-port", String(port)] };
  });
  return Object.defineProperty(chain, "gateway", { get: () => gateway }) as GatewayChain;
}

/** Creates `count` blocks on a development chain; the first one contains the received transactions. */
export async function makeBlocks(chain: Pick<RunningChain, "url">, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await resultOf(chain, "devnet_createBlock", {});
}

/** Creates a block with a mint of `amount` fri; a different amount gives a different block. */
export async function makeMint(chain: Pick<RunningChain, "url">, amount: number): Promise<void> {
  await resultOf(chain, "devnet_mint", { address: "0x1001", amount, unit: "FRI" });
  await resultOf(chain, "devnet_createBlock", {});
}

/** Hash of a block, or of `latest`. */
export async function blockHash(
  chain: Pick<RunningChain, "url">,
  block: number | "latest",
): Promise<string> {
  const id = typeof block === "number" ? { block_number: block } : block;
  const { block_hash: hash } = await resultOf<{ readonly block_hash: string }>(
    chain,
    "starknet_getBlockWithTxHashes",
    [id],
  );
  return hash;
}
