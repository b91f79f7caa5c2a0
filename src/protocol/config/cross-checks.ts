import { hexFromFelt } from "#base/primitives/index.ts";
import { BUILTIN_CONSTANTS } from "./constants-files.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import type { ChainConfigText } from "./chain-fields.ts";
import { formatDurationMs } from "./duration.ts";
import type { IssueList } from "./issue-list.ts";
import { type ConfigNode, lineAt } from "./tree.ts";

/** Fields that are valid individually; others are absent. */
type Fields = Partial<ChainConfigText>;

const U256_BOUND = 1n << 256n;

/** Reports conflicts between fields; considers only individually valid ones. */
export function checkTogether(config: Fields, tree: ConfigNode, issues: IssueList): void {
  checkIntervals(config, tree, issues);
  checkTokens(config, tree, issues);
  checkVersions(config, tree, issues);
  checkBalances(config, tree, issues);
}

function isSet(tree: ConfigNode, field: string): boolean {
  return tree.kind === "map" && tree.entries.has(field);
}

function checkIntervals(config: Fields, tree: ConfigNode, issues: IssueList): void {
  const { blocksOnDemand, blockTimeMs, pendingBlockUpdateTimeMs } = config;
  if (blockTimeMs === undefined || pendingBlockUpdateTimeMs === undefined) return;
  if (blocksOnDemand !== false || blockTimeMs >= pendingBlockUpdateTimeMs) return;
  const pending = "pending_block_update_time";
  const blockLine = lineAt(tree, ["block_time"]);
  // Blame the value with the highest precedence: an override before the file, the file before a default.
  const isBlockTimeNewer = isSet(tree, "block_time") && blockLine === 0;
  if (!isSet(tree, pending) || (isBlockTimeNewer && lineAt(tree, [pending]) > 0)) {
    const minimum = formatDurationMs(pendingBlockUpdateTimeMs);
    issues.add("block_time", blockLine, `expected a duration not below ${pending} (${minimum})`);
  } else {
    const maximum = formatDurationMs(blockTimeMs);
    const message = `expected a duration not above block_time (${maximum})`;
    issues.add(pending, lineAt(tree, [pending]), message);
  }
}

function checkTokens(config: Fields, tree: ConfigNode, issues: IssueList): void {
  const { nativeFeeTokenAddress: native, parentFeeTokenAddress: parent } = config;
  if (native === undefined || native !== parent) return;
  const nativeLine = lineAt(tree, ["native_fee_token_address"]);
  const parentLine = lineAt(tree, ["parent_fee_token_address"]);
  const isNativeNewer = nativeLine === 0 && parentLine > 0;
  const [field, line, other] = isNativeNewer
    ? ["native_fee_token_address", nativeLine, "parent_fee_token_address"]
    : ["parent_fee_token_address", parentLine, "native_fee_token_address"];
  issues.add(field, line, `expected another address than ${other}, got ${hexFromFelt(native)}`);
}

/** Checks that `latest_protocol_version` and every `builtin` version have constants. */
function checkVersions(config: Fields, tree: ConfigNode, issues: IssueList): void {
  const { versionedConstants, latestProtocolVersion } = config;
  if (versionedConstants === undefined) return;
  const builtIn = BUILT_IN_CONSTANTS.versions;
  for (const [version, file] of versionedConstants) {
    if (file !== BUILTIN_CONSTANTS || builtIn.includes(version)) continue;
    issues.add(
      `versioned_constants.${version}`,
      versionLine(tree, version),
      `no built-in constants for this version (available: ${builtIn.join(", ")})`,
    );
  }
  // A configuration that lists versions supports only these; otherwise the built-in ones apply.
  const listed = versionedConstants.size > 0 ? [...versionedConstants.keys()] : builtIn;
  if (latestProtocolVersion === undefined || listed.includes(latestProtocolVersion)) return;
  const which = versionedConstants.size > 0 ? "in versioned_constants" : "with built-in constants";
  issues.add(
    "latest_protocol_version",
    lineAt(tree, ["latest_protocol_version"]),
    `expected a version ${which} (${listed.join(", ")}), got "${latestProtocolVersion}"`,
  );
}

/** Line of a version in `versioned_constants`, under either of the field's names. */
export function versionLine(tree: ConfigNode, version: string): number {
  return (
    lineAt(tree, ["versioned_constants", version]) ||
    lineAt(tree, ["versioned_constants_path", version])
  );
}

/** Checks that balances have their token's contract and do not overflow it. */
function checkBalances(config: Fields, tree: ConfigNode, issues: IssueList): void {
  const { genesis } = config;
  if (genesis === undefined || genesis === null) return;
  const tokens = {
    strk: { address: config.nativeFeeTokenAddress, supply: 0n },
    eth: { address: config.parentFeeTokenAddress, supply: 0n },
  };
  for (const [i, { token, amount }] of genesis.balances.entries()) {
    const { address } = tokens[token];
    const line = lineAt(tree, ["genesis", "balances", String(i)]);
    const path = `genesis.balances[${i}]`;
    if (address !== undefined && !genesis.contracts.has(address)) {
      const message = `balances of ${token} need the token's contract ${hexFromFelt(address)} in genesis.contracts`;
      issues.add(`${path}.token`, line, message);
    }
    tokens[token].supply += amount;
    if (tokens[token].supply >= U256_BOUND) {
      const message = `the balances of ${token} add up to more than 2^256 - 1`;
      issues.add(`${path}.amount`, line, message);
      tokens[token].supply = 0n;
    }
  }
}
