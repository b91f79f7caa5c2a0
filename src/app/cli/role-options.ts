import { followStore, type NodeOptions } from "#app/node/index.ts";
import type { ConfigNotice, LoadedChainConfig } from "#protocol/config/index.ts";
import { devnetOf } from "./block-generation.ts";
import { configSourceOf } from "./config-source.ts";
import { chainOptions } from "./chain-options.ts";
import { devAccountsOf } from "./dev-accounts.ts";
import { devOptions } from "./dev-options.ts";
import { devnetNotices, devnetOptions } from "./devnet-options.ts";
import { devnetPriceOptions } from "./devnet-price-options.ts";
import { dumpOptions } from "./dump-options.ts";
import { genesisClassOptions, withGenesisClasses } from "./genesis-class-options.ts";
import { type FlagSources, flagName } from "./given.ts";
import type { Option } from "./option.ts";
import { l1Options } from "./l1-options.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { priceOptions } from "./price-options.ts";
import { GATE_OPTIONS, replicationOf, replicationOptions, storeOf } from "./replication-options.ts";
import type { sequencerOptions } from "./run-options.ts";
import { followOf, syncOptions } from "./sync-options.ts";

type Given = ParsedArguments<typeof sequencerOptions>;

/** The node options that depend on its role. */
export type RoleOptions = Pick<
  NodeOptions,
  | "role"
  | "chain"
  | "notices"
  | "gasPrices"
  | "devnet"
  | "devAccounts"
  | "follow"
  | "replication"
  | "trustClock"
>;

/** `sourceGrace` is also used by a standby. */
const { sourceGrace, ...ofFullNodes } = syncOptions;

/** Options used only by nodes that make blocks. A follower needs the chain id of its sequencer. */
const { chainId: _ofBoth, ...ofNewChains } = devnetOptions;
const {
  l1Endpoint: _ofBothRoles,
  l1Finality: _likewise,
  l1AcceptDivergence: _alsoOfBoth,
  ...ofPrices
} = l1Options;
const PRODUCER_OPTIONS: readonly Option<unknown>[] = [
  chainOptions.privateKeyFile,
  chainOptions.newChain,
  chainOptions.blockTime,
  chainOptions.allowBootstrap,
  ...Object.values(priceOptions),
  ...Object.values(ofPrices),
  ...Object.values(devOptions),
  ...Object.values(ofNewChains),
  ...Object.values(devnetPriceOptions),
  ...Object.values(genesisClassOptions),
  ...Object.values(dumpOptions),
  ...GATE_OPTIONS,
];

/**
 * Returns the options of the role. Options of the other role cause a notice that they have no effect, not an
 * error: several nodes of a chain may share an environment.
 *
 * @throws {ConfigError} when an option that the role requires is missing or wrong
 */
export function roleOptionsOf(
  role: NodeOptions["role"],
  given: Given,
  loaded: LoadedChainConfig,
): RoleOptions {
  return role === "full" ? follower(given, loaded) : producer(given, loaded);
}

function producer(given: Given, loaded: LoadedChainConfig): RoleOptions {
  const { options } = given;
  const isDevnet = configSourceOf(given).preset === "devnet";
  const config = withGenesisClasses(loaded.config, given, isDevnet);
  const why = "it applies only to full nodes";
  const replication = replicationOf(given);
  const devnet = devnetOf(given, isDevnet);
  return {
    role: "sequencer",
    chain: config,
    notices: [
      ...withoutEffect(given.given, Object.values(ofFullNodes), why),
      ...(replication?.standby == null ? withoutEffect(given.given, [sourceGrace], why) : []),
      ...withoutEffect(given.given, [replicationOptions.follow], why),
      ...withoutEffect(given.given, idleL1Options(given), NO_L1),
      ...withoutEffect(given.given, idleOracle(given), "--strk-per-eth fixes the exchange rate"),
      ...devnetNotices(given),
      ...gatedDevnet(isDevnet, replication),
    ],
    gasPrices: {
      l1GasPriceWei: options.l1GasPrice,
      blobGasPriceWei: options.blobGasPrice,
      strkPerEth: options.strkPerEth,
    },
    devnet: replication === null ? devnet : null,
    devAccounts: devAccountsOf(given, { ...loaded, config }, isDevnet),
    follow: replication?.standby == null ? null : followStore(replication.store),
    replication,
    trustClock: options.trustClock,
  };
}

/** Development features change state outside of blocks, so a standby could not reproduce them. */
function gatedDevnet(
  isDevnet: boolean,
  replication: NodeOptions["replication"],
): readonly ConfigNotice[] {
  if (!isDevnet || replication === null) return [];
  const message =
    "--preset devnet has no development features with --publish-gate: accounts and genesis come from the preset";
  return [{ code: "OPTION_WITHOUT_EFFECT", message }];
}

/** Block 0 comes from the gateway with its hash and signature, so the genesis section is not needed. */
function follower(given: Given, loaded: LoadedChainConfig): RoleOptions {
  const why = "a full node makes no blocks";
  return {
    role: "full",
    chain: { ...loaded.config, genesis: null },
    notices: [
      ...withoutEffect(given.given, PRODUCER_OPTIONS, why),
      ...withoutEffect(
        given.given,
        idleL1Options(given).filter((option) => !PRODUCER_OPTIONS.includes(option)),
        NO_L1,
      ),
    ],
    gasPrices: { l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null },
    devnet: null,
    devAccounts: null,
    follow: followOf(given.options, storeOf(given, given.options.follow), loaded),
    replication: null,
    trustClock: false,
  };
}

const NO_L1 = "L1 is followed only with --l1-endpoint";

/** L1 options without effect, because L1 is not followed. */
function idleL1Options({ options }: Given): readonly Option<unknown>[] {
  const { l1Endpoint: _missing, ...others } = l1Options;
  return options.l1Endpoint.length === 0 ? Object.values(others) : [];
}

/** Oracle options without effect, because the exchange rate is fixed. */
function idleOracle({ options }: Given): readonly Option<unknown>[] {
  if (options.strkPerEth === null || options.l1Endpoint.length === 0) return [];
  return [l1Options.oracleUrl, l1Options.oracleApiKeyFile];
}

function withoutEffect(
  given: FlagSources,
  options: readonly Option<unknown>[],
  why: string,
): readonly ConfigNotice[] {
  return options
    .filter(({ flag }) => given.has(flag))
    .map(({ flag }) => ({
      code: "OPTION_WITHOUT_EFFECT",
      message: `${flagName(given, flag)} has no effect: ${why}`,
    }));
}
