import { type ForkOptions, LOCAL_ROOTS } from "#app/node/index.ts";
import { changedOptions, flagName, nodeOptions } from "#app/options/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { LoadedChainConfig } from "#protocol/config/index.ts";
import { devnetOnly, notBoth, wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";

type ForkFlags = "fork" | "replication" | "gateway" | "l1" | "systemClasses";

/**
 * Combines the options of a fork; `null` without one.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when an option needs another one, the chain is not the preset devnet, or a feature
 *   that depends on state roots is on
 */
export function forkOf(
  values: SourcedOptions<ForkFlags>,
  { changedFields }: Pick<LoadedChainConfig, "changedFields">,
  isDevnet: boolean,
): ForkOptions | null {
  const requested = requestOf(values, isDevnet);
  if (requested === null) return null;
  const { flag, ...settings } = requested;
  refuseRoots(values, flag);
  const { options, sources } = values;
  if (options.systemClasses !== null) throw notBoth(sources, "system-classes", flag);
  return { ...settings, changedFields };
}

/** Requested fork, and the option that named its URLs. */
interface RequestedFork extends Omit<ForkOptions, "changedFields"> {
  readonly flag: "fork-url" | "fork-network";
}

function requestOf(
  { options, sources }: SourcedOptions<"fork">,
  isDevnet: boolean,
): RequestedFork | null {
  const { networkUrls, urls, ...settings } = options.fork;
  const flag = urls.length > 0 ? "fork-url" : "fork-network";
  if (urls.length === 0 && networkUrls.length === 0) {
    const [unused] = changedOptions(nodeOptions.fork, options.fork);
    if (unused === undefined) return null;
    throw wrongOption(sources, unused.option.flag, "has no effect without --fork-url: set both");
  }
  if (!isDevnet) throw devnetOnly(sources, flag);
  if (urls.length > 0 && networkUrls.length > 0) throw notBoth(sources, "fork-network", "fork-url");
  if (settings.transaction !== null && settings.block !== null) {
    throw notBoth(sources, "fork-transaction", "fork-block");
  }
  return { ...settings, urls: urls.length > 0 ? urls : networkUrls, flag };
}

/**
 * Returns comments that show the fork of a configuration, without what may be a secret: of its URLs only scheme,
 * host and port, and no headers. Empty without a fork.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when an option needs another one, or the chain is not the preset devnet
 */
export function forkComments(values: SourcedOptions<"fork">, isDevnet: boolean): readonly string[] {
  const requested = requestOf(values, isDevnet);
  if (requested === null) return [];
  const { urls, block, transaction } = requested;
  const shown = block?.kind === "hash" ? hexFromFelt(block.hash) : block?.number;
  return [
    ...urls.map((url) => `# fork-url: ${new URL(url).origin}`),
    transaction === null
      ? `# fork-block: ${shown ?? "latest"}`
      : `# fork-transaction: ${hexFromFelt(transaction)}`,
    "# Chain id, protocol version, fee tokens and prices are those of the fork block unless options set them.",
  ];
}

/**
 * Refuses a fork on a full node.
 *
 * @throws {ConfigError} when a URL of a fork is set
 */
export function refuseFork({ options, sources }: SourcedOptions<"fork">): void {
  const { urls, networkUrls } = options.fork;
  if (urls.length === 0 && networkUrls.length === 0) return;
  const flag = urls.length > 0 ? "fork-url" : "fork-network";
  const why = `a full node verifies state roots, and ${LOCAL_ROOTS}`;
  throw wrongOption(sources, flag, `requires the sequencer: ${why}`);
}

/** Refuses features for which other programs need the chain's state roots. */
function refuseRoots({ options, sources }: SourcedOptions<ForkFlags>, flag: string): void {
  const refused = [
    ["publish-gate", options.replication.store !== null],
    ["gateway-port", options.gateway.port !== null],
    ["l1-endpoint", options.l1.endpoints.length > 0],
  ] as const;
  for (const [other, isOn] of refused) {
    if (!isOn) continue;
    throw wrongOption(
      sources,
      other,
      `cannot be combined with ${flagName(sources, flag)}: ${LOCAL_ROOTS}`,
    );
  }
}

/** Default data directory of a fork: one per origin, whose chain id is not known yet. */
export function forkFolderName({ urls: [url = ""] }: Pick<ForkOptions, "urls">): string {
  const words = new URL(url).host.match(/[\w.]+/g) ?? [];
  return ["fork", ...words].join("-");
}
