import { flagName } from "#app/options/index.ts";
import type { DevAccountOptions } from "#app/node/index.ts";
import type { LoadedChainConfig } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { notBoth } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";

const DEFAULT_DEV_ACCOUNTS = 10;

const ACCOUNT_CLASS = "account";

/**
 * Returns the development accounts of a chain: those of the preset devnet, or as many as requested.
 *
 * @param isDevnet - whether the chain is the preset devnet, which has them by default
 * @throws {ConfigError} when an option cannot have an effect
 */
export function devAccountsOf(
  { options: { devAccounts }, sources }: SourcedOptions<"devAccounts">,
  { config, source }: LoadedChainConfig,
  isDevnet: boolean,
): DevAccountOptions | null {
  const hasClass = config.genesis?.classes.some(({ name }) => name === ACCOUNT_CLASS) === true;
  const count = devAccounts.count ?? (isDevnet && hasClass ? DEFAULT_DEV_ACCOUNTS : 0);
  const issues: ConfigIssue[] = [];
  const add = (flag: string, message: string): number =>
    issues.push({ path: flagName(sources, flag), line: 0, message });
  if (count === 0) {
    for (const flag of ["dev-seed", "seed", "dev-balance"]) {
      if (sources.has(flag))
        add(flag, "has no effect without development accounts: --dev-accounts N");
    }
  } else if (!hasClass) {
    const missing = `a class named ${ACCOUNT_CLASS} in its genesis section`;
    add("dev-accounts", `${source} cannot have development accounts: they require ${missing}`);
  }
  if (sources.has("dev-seed") && devAccounts.devnetSeed !== null)
    throw notBoth(sources, "dev-seed", "seed");
  if (issues.length > 0) throw new ConfigError("wrong command line", issues);
  if (count === 0) return null;
  const seedFlag = ["dev-seed", "seed"].find((flag) => sources.has(flag));
  return {
    count,
    seed:
      devAccounts.devnetSeed === null
        ? { accounts: "appchain", number: devAccounts.seed }
        : { accounts: "starknet-devnet", number: devAccounts.devnetSeed },
    balance: devAccounts.balance,
    setBy: {
      count: sources.has("dev-accounts") ? flagName(sources, "dev-accounts") : null,
      seed: seedFlag === undefined ? null : flagName(sources, seedFlag),
      balance: sources.has("dev-balance") ? flagName(sources, "dev-balance") : null,
    },
  };
}
