import { followStore, type NodeOptions } from "#app/node/index.ts";
import {
  defaultsOf,
  flagName,
  nodeOptions,
  type Option,
  optionsIn,
  type OptionUser,
} from "#app/options/index.ts";
import type { ConfigNotice, LoadedChainConfig } from "#protocol/config/index.ts";
import { configSourceOf } from "./config-source.ts";
import { devAccountsOf } from "./dev-accounts.ts";
import { devnetNotices, devnetOf } from "./devnet-options.ts";
import { withGenesisClasses } from "./genesis-class-options.ts";
import { forkOf, refuseFork } from "./fork-options.ts";
import type { SourcedOptions } from "./sourced-options.ts";
import { replicationOf, storeOf } from "./replication-options.ts";
import { followOf } from "./sync-options.ts";

/** The node options that depend on its role. */
export type RoleOptions = Pick<
  NodeOptions,
  "role" | "chain" | "notices" | "devnet" | "devAccounts" | "follow" | "fork" | "replication"
> &
  Partial<NodeOptions>;

/** Options that both roles use, but only while L1 is followed. */
const L1_OPTIONS: readonly Option<unknown>[] = optionsIn(nodeOptions.l1).filter(
  (option) => option !== nodeOptions.l1.endpoints,
);

const NO_L1 = "L1 is followed only with --l1-endpoint";

/**
 * Returns the options of the role. Options of the other role cause a notice that they have no effect, not an
 * error: several nodes of a chain may share an environment.
 *
 * @throws {ConfigError} when an option that the role requires is missing or wrong
 */
export function roleOptionsOf(
  role: NodeOptions["role"],
  values: SourcedOptions,
  loaded: LoadedChainConfig,
): RoleOptions {
  return role === "full" ? follower(values, loaded) : producer(values, loaded);
}

function producer(values: SourcedOptions, loaded: LoadedChainConfig): RoleOptions {
  const isDevnet = configSourceOf(values).preset === "devnet";
  const fork = forkOf(values, loaded, isDevnet);
  const devnet = devnetOf(values, isDevnet);
  const config = withGenesisClasses(loaded.config, values);
  const why = "it applies only to full nodes";
  const replication = replicationOf(values);
  const isStandby = replication !== null && replication.standby !== null;
  const others: readonly OptionUser[] = isStandby ? ["full"] : ["full", "follower"];
  return {
    role: "sequencer",
    chain: config,
    notices: [
      ...withoutEffect(values, optionsOf(others), why),
      ...withoutEffect(values, idleL1Options(values), NO_L1),
      ...withoutEffect(values, idleOracle(values), "--strk-per-eth fixes the exchange rate"),
      ...devnetNotices(values),
      ...gatedDevnet(isDevnet, replication),
    ],
    devnet: replication === null ? devnet : null,
    devAccounts: devAccountsOf(values, { ...loaded, config }, isDevnet),
    follow: isStandby ? followStore(replication.store) : null,
    fork,
    replication,
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
function follower(values: SourcedOptions, loaded: LoadedChainConfig): RoleOptions {
  const { options } = values;
  refuseFork(values);
  const ofProducers = optionsOf(["sequencer", "devnet"]);
  const idle = idleL1Options(values).filter((option) => !ofProducers.includes(option));
  return {
    role: "full",
    chain: { ...loaded.config, genesis: null },
    notices: [
      ...withoutEffect(values, ofProducers, "a full node makes no blocks"),
      ...withoutEffect(values, idle, NO_L1),
    ],
    gasPrices: defaultsOf(nodeOptions.gasPrices),
    devnet: null,
    devAccounts: null,
    follow: followOf(options.follow, storeOf(values, options.followedStore), loaded),
    fork: null,
    replication: null,
    trustClock: false,
  };
}

function optionsOf(users: readonly OptionUser[]): readonly Option<unknown>[] {
  return optionsIn(nodeOptions).filter(
    ({ usedBy }) => usedBy !== undefined && users.includes(usedBy),
  );
}

/** L1 options without effect, because L1 is not followed. */
function idleL1Options({ options }: SourcedOptions): readonly Option<unknown>[] {
  return options.l1.endpoints.length === 0 ? L1_OPTIONS : [];
}

/** Oracle options without effect, because the exchange rate is fixed. */
function idleOracle({ options }: SourcedOptions): readonly Option<unknown>[] {
  if (options.gasPrices.strkPerEth === null || options.l1.endpoints.length === 0) return [];
  return optionsIn(nodeOptions.l1.oracle);
}

function withoutEffect(
  { sources }: SourcedOptions,
  options: readonly Option<unknown>[],
  why: string,
): readonly ConfigNotice[] {
  return options
    .filter(({ flag }) => sources.has(flag))
    .map(({ flag }) => ({
      code: "OPTION_WITHOUT_EFFECT",
      message: `${flagName(sources, flag)} has no effect: ${why}`,
    }));
}
