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

/** Longest time, milliseconds, that a follower may stay ready without news of its source. */
const MAX_GRACE_MS = 86_400_000;

/** Addresses of gateways, in order. */
const gatewayUrl: Option<readonly string[]> = {
  flag: "gateway-url",
  value: "URL",
  group,
  summary:
    "a gateway to follow and to hand transactions to, without /feeder_gateway; may be repeated, in order of preference; default from the chain configuration",
  defaultText: undefined,
  expected: "http:// or https:// address",
  repeatable: true,
  read: (texts) => (texts.every((text) => readUrl(text) !== undefined) ? texts : undefined),
  fallback: [],
};

/** What a full node follows, and what it believes. */
export const syncOptions = {
  gatewayUrl,
  gatewayKeyFile: valueOption(
    {
      flag: "gateway-key-file",
      value: "FILE",
      group,
      summary:
        "file with a key that the gateway knows its user by, sent as X-Throttling-Bypass; without it none is sent",
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
      summary: "take no block after this one, and serve those that there are",
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
        "what is verified before a block is stored: its hashes, commitments, signature and state root; or, with execution, also receipts and state diff, by executing it again",
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
        "how long /ready stays 200 on a full node or a standby without news of its source, or without the next block; longer than a takeover",
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
      "take the gateway's compiled code of classes where compiling them here gives another hash than was declared, as of older compilers; its hints are not verified",
  }),
};

/**
 * What a full node follows.
 *
 * @param store - where blocks come from; `null`: from the gateways
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
      `a full node needs a gateway to ${store === null ? "follow" : "hand transactions to"}: give --gateway-url URL, or put feeder_gateway_url and gateway_url into the chain configuration (${source} has neither)`,
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

/** Of a configuration with one address alone, the other half is beside it. */
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

/** Networks name the whole address of a half; one without a path has the usual one. */
function withPath(url: string, path: string): string {
  const bare = url.replace(/\/+$/, "");
  return new URL(bare).pathname === "/" ? bare + path : bare;
}
