import type { ChainConfig } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import {
  type Felt,
  feltFromShortString,
  hexFromFelt,
  paddedHexFromFelt,
} from "#base/primitives/index.ts";
import type { DevAccount } from "#services/sequencer/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Maximum printed accounts; `--config-out` writes the others. */
const MAX_PRINTED = 20;

const DECIMALS = 18;

/** Formats an amount in whole tokens, without trailing zeros. */
export function formatTokens(amount: bigint): string {
  const unit = 10n ** BigInt(DECIMALS);
  const fraction = (amount % unit).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  return `${amount / unit}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Contracts of a chain that developers need. */
export interface ChainContracts {
  /** Class of the development accounts; `null` if the chain has none. */
  readonly accountClass: Felt | null;
  /** Addresses of the universal deployer; the one that current SDKs expect comes first. */
  readonly universalDeployers: readonly Felt[];
}

/** Formats ids and contracts of a chain for a terminal. */
export function chainLines(
  chain: ChainConfig,
  { accountClass, universalDeployers }: ChainContracts,
): string[] {
  const rows: (readonly [string, string])[] = [
    ["Chain id", `${chain.chainId} (${hexFromFelt(feltFromShortString(chain.chainId))})`],
    ["STRK fee token", paddedHexFromFelt(chain.nativeFeeTokenAddress)],
    ["ETH fee token", paddedHexFromFelt(chain.parentFeeTokenAddress)],
  ];
  if (accountClass !== null) rows.push(["Account class", paddedHexFromFelt(accountClass)]);
  for (const address of universalDeployers) {
    rows.push(["Universal deployer", paddedHexFromFelt(address)]);
  }
  return ["", ...rows.map(([name, value]) => `${`${name}:`.padEnd(20)} ${value}`), ""];
}

/** Formats the funded accounts for a terminal: address, private key, and balances in `state`. */
export function devAccountLines(
  accounts: readonly DevAccount[],
  config: Pick<ChainConfig, "nativeFeeTokenAddress" | "parentFeeTokenAddress">,
  state: StateReader,
): string[] {
  if (accounts.length === 0) return [];
  const lines = ["Funded accounts (known to everyone: for development only)", ""];
  for (const [i, { address, privateKey }] of accounts.slice(0, MAX_PRINTED).entries()) {
    const strk = formatTokens(balanceOf(state, config.nativeFeeTokenAddress, address));
    const eth = formatTokens(balanceOf(state, config.parentFeeTokenAddress, address));
    lines.push(
      `(${i}) Address:     ${paddedHexFromFelt(address)}`,
      `    Private key: ${paddedHexFromFelt(privateKey)}`,
      `    Balance:     ${strk} STRK, ${eth} ETH`,
    );
  }
  const rest = accounts.length - MAX_PRINTED;
  if (rest > 0) lines.push(`... and ${rest} more: --config-out FILE writes them all`);
  lines.push("");
  return lines;
}

/**
 * Balance of an account in a shipped token, which is stored in two cells of 128 bits, the lower one first.
 */
function balanceOf(state: StateReader, token: Felt, account: Felt): bigint {
  const key = storageVariableKey("ERC20_balances", account);
  return state.storageAt(token, key) + (state.storageAt(token, key + 1n) << 128n);
}
