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
import type { Paint } from "./paint.ts";
import type { ScreenRow } from "./screen-row.ts";

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

/** Rows with ids and contracts of a chain. */
export function chainRows(
  chain: Pick<ChainConfig, "chainId" | "nativeFeeTokenAddress" | "parentFeeTokenAddress">,
  { accountClass, universalDeployers }: ChainContracts,
): readonly ScreenRow[] {
  return [
    ["Chain id", `${chain.chainId} (${hexFromFelt(feltFromShortString(chain.chainId))})`],
    ["STRK token", paddedHexFromFelt(chain.nativeFeeTokenAddress)],
    ["ETH token", paddedHexFromFelt(chain.parentFeeTokenAddress)],
    ...(accountClass === null ? [] : [["Account class", paddedHexFromFelt(accountClass)] as const]),
    ...universalDeployers.map((address) => ["Deployer", paddedHexFromFelt(address)] as const),
  ];
}

/** Formats the funded accounts for a terminal: addresses with balances in `state`, then private keys. */
export function devAccountLines(
  accounts: readonly DevAccount[],
  config: Pick<ChainConfig, "nativeFeeTokenAddress" | "parentFeeTokenAddress">,
  state: StateReader,
  paint: Paint,
): readonly string[] {
  if (accounts.length === 0) return [];
  const printed = accounts.slice(0, MAX_PRINTED);
  const { length: width } = labelOf(printed.length - 1);
  const label = (i: number): string => paint.dim(labelOf(i).padEnd(width));
  const rest = accounts.length - printed.length;
  return [
    `${paint.bold("Funded accounts")} ${paint.yellow("(everyone knows the keys: for development only)")}`,
    ...printed.map(({ address }, i) => {
      const strk = formatTokens(balanceOf(state, config.nativeFeeTokenAddress, address));
      const eth = formatTokens(balanceOf(state, config.parentFeeTokenAddress, address));
      return `${label(i)} ${paddedHexFromFelt(address)} ${strk} STRK, ${eth} ETH`;
    }),
    "",
    paint.bold("Private keys"),
    ...printed.map(({ privateKey }, i) => `${label(i)} ${paddedHexFromFelt(privateKey)}`),
    ...(rest > 0 ? [`and ${rest} more accounts: --config-out FILE writes all of them`] : []),
    "",
  ];
}

const labelOf = (index: number): string => `(${index})`;

/**
 * Balance of an account in a shipped token, which is stored in two cells of 128 bits, the lower one first.
 */
function balanceOf(state: StateReader, token: Felt, account: Felt): bigint {
  const key = storageVariableKey("ERC20_balances", account);
  return state.storageAt(token, key) + (state.storageAt(token, key + 1n) << 128n);
}
