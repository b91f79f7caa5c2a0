import { resolve } from "node:path";
import { type FollowOptions, type GatewayUrls, gatewayUrlsAt } from "#app/node/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { DURATION_FORM, type LoadedChainConfig } from "#protocol/config/index.ts";
import {
  type Option,
  type OptionValues,
  readChoice,
  readDuration,
  readInteger,
  readText,
  readUrl,
  switchOption,
  valueOption,
} from "./option.ts";

const group = "Full nodes";

/** Maximum time that a follower may stay ready without news from its source, milliseconds. */
const MAX_GRACE_MS = 86_400_000;

/** Addresses of gateways, in order of preference. */
const gatewayUrl: Option<readonly string[]> = {
  flag: "gateway-url",
  value: "URL",
  group,
  summary:
    "gateway to follow and to forward transactions to, without /feeder_gateway; repeatable, in order of preference; default from the chain configuration",
  defaultText: undefined,
  expected: "http:// or https:// address",
  repeatable: true,
  read: (texts) => (texts.every((text) => readUrl(text) !== undefined) ? texts : undefined),
  fallback: [],
};

/** Source of a full node, and how its blocks are verified. */
export const syncOptions = {
  gatewayUrl,
  gatewayKeyFile: valueOption(
    {
      flag: "gateway-key-file",
      value: "FILE",
      group,
      summary: "file with the API key to send as X-Throttling-Bypass",
    },
    "a file",
    readText,
    null,
  ),
  syncStopAt: valueOption(
    {
      flag: "sync-stop-at",
      value: "BLOCK",
      group,
      summary: "stop syncing at this block and keep serving",
    },
    "block number",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  ),
  verify: valueOption(
    {
      flag: "verify",
      value: "HOW",
      group,
      summary:
        "what is verified before a block is stored: hashes verifies hashes, commitments, signature and state root; execution also executes the block and compares receipts and state diff",
    },
    "hashes or execution",
    readChoice(["hashes", "execution"]),
    "hashes",
  ),
  sourceGrace: valueOption(
    {
      flag: "source-grace",
      value: "DURATION",
      group,
      summary:
        "how long /ready stays 200 on a full node or a standby without news from its source, or without the next block; must exceed the time of a takeover",
      defaultText: "60s",
    },
    `${DURATION_FORM}, from 1s to 24h`,
    readDuration(1_000, MAX_GRACE_MS),
    60_000,
  ),
  trustCasm: switchOption({
    flag: "trust-casm",
    group,
    summary:
      "use the gateway's compiled code of classes where compiling them here yields a different hash than the declared one, for example with older compilers; its hints are not verified",
  }),
};

/**
 * Returns what a full node follows.
 *
 * @param store - source of blocks; `null` for the gateways
 * @throws {ConfigError} when neither the options nor the configuration name a gateway
 */
export function followOf(
  options: OptionValues<typeof syncOptions>,
  store: FollowOptions["store"],
  { config, source }: LoadedChainConfig,
): FollowOptions {
  const given = options.gatewayUrl.map((url) => gatewayUrlsAt(url));
  const configured = configuredGateway(config);
  const gateways = given.length > 0 ? given : configured === undefined ? [] : [configured];
  if (gateways.length === 0) {
    throw new ConfigError(
      `a full node needs a gateway to ${store === null ? "follow" : "forward transactions to"}: set --gateway-url URL, or set feeder_gateway_url and gateway_url in the chain configuration (${source} has neither)`,
    );
  }
  const { gatewayKeyFile, syncStopAt: stopAt, verify, trustCasm: trustsCasm } = options;
  return {
    store,
    gateways,
    gatewayKeyFile: gatewayKeyFile === null ? null : resolve(gatewayKeyFile),
    stopAt,
    verify,
    trustsCasm,
  };
}

/** Gateway of the configuration; if it has only one of the two addresses, the other is derived from it. */
function configuredGateway({
  feederGatewayUrl: feeder,
  gatewayUrl: gateway,
}: LoadedChainConfig["config"]): GatewayUrls | undefined {
  const only = feeder ?? gateway;
  if (only === null) return undefined;
  const beside = gatewayUrlsAt(only);
  return {
    feeder: withPath(feeder ?? beside.feeder, "/feeder_gateway"),
    gateway: withPath(gateway ?? beside.gateway, "/gateway"),
  };
}

/** Adds the usual path to an address without one; networks give full addresses. */
function withPath(url: string, path: string): string {
  const bare = url.replace(/\/+$/, "");
  return new URL(bare).pathname === "/" ? bare + path : bare;
}
