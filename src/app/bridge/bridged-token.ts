import { formatUnits } from "viem";
import { ETH_ON_L1, ETH_TEXT, type Hex, readJournal } from "#app/bootstrap/index.ts";
import { BootstrapError, ConfigError } from "#base/errors/index.ts";
import {
  type Felt,
  feltFromHex,
  feltFromShortString,
  hexFromFelt,
} from "#base/primitives/index.ts";
import type { Sides } from "./sides.ts";

/** A token with a bridge, verified on both sides. */
export interface BridgedToken {
  readonly l1Token: Hex;
  readonly l2Token: Felt;
  readonly l1Bridge: Hex;
  readonly l2Bridge: Felt;
  readonly core: Hex;
  readonly contract: "EthBridge" | "TokenBridge";
  readonly symbol: string;
  readonly decimals: number;
}

/** A token: ETH, the fee token, or any other by its L1 address. */
export type TokenName = "eth" | "fee" | Hex;

/**
 * Finds a token's bridge in the address file. Requires both sides to be the chain of the file, and their
 * bridges to be configured for each other: a deposit anywhere else would be lost.
 *
 * @throws {ConfigError} when the file is missing, was edited or belongs to another chain, or the token has no
 * bridge
 */
export async function bridgedToken(
  sides: Sides,
  name: TokenName,
  addressesPath: string,
): Promise<BridgedToken> {
  const journal = readJournal(addressesPath);
  if (journal === undefined) throw new ConfigError(`there is no ${addressesPath}: see --addresses`);
  const { addresses, beginning } = journal;
  const { settings, l1, l2 } = sides;
  const fault = (what: string): ConfigError =>
    new ConfigError(`${addressesPath} is of another chain, or was edited: ${what}`);
  const address = (key: string): string => {
    const found = addresses[key];
    if (found === undefined) throw fault(`it has no ${key}; is the bootstrap done?`);
    return found;
  };
  if (beginning.app_chain_id !== settings.appChainId) throw fault("APP_CHAIN_ID is another one");
  if ((await l2.chainId()) !== feltFromShortString(settings.appChainId)) {
    throw fault("ROLLUP_SEQ_URL has another chain id");
  }
  if ((await l1.chainId()) !== beginning.eth_chain_id) throw fault("ETH_RPC has another chain id");
  const [l1Genesis, known] = [await l1.genesisHash(), beginning.l1_genesis_hash];
  if (l1Genesis !== null && known !== null && l1Genesis !== known) {
    throw fault("ETH_RPC is another chain with the same id");
  }
  const contract = name === "eth" ? "EthBridge" : "TokenBridge";
  const [l1Key, l2Key] =
    name === "eth"
      ? ["ETH_l1_bridge_address", "ETH_l2_bridge_address"]
      : ["ERC20_l1_bridge_address", "ERC20_l2_bridge_address"];
  const l1Bridge = address(l1Key) as Hex;
  const l2Bridge = feltFromHex(address(l2Key)) ?? 0n;
  const core = address("l1_core_contract_address") as Hex;
  const feeToken = (): Hex => (beginning.l1_token_address ?? address("l1_token_address")) as Hex;
  const l1Token = name === "eth" ? ETH_ON_L1 : name === "fee" ? feeToken() : name;
  const read = (functionName: string): Promise<unknown> =>
    l1.read({ address: l1Bridge, contract, functionName, args: [] });
  const isSame = (actual: unknown, expected: string): boolean =>
    typeof actual === "string" && actual.toLowerCase() === expected;
  const configured = await l2.contracts();
  if (configured?.core !== BigInt(core)) throw fault("the sequencer has another core contract");
  if (
    !isSame(await read("messagingContract"), core) ||
    (await read("l2TokenBridge")) !== l2Bridge
  ) {
    throw fault(`${l1Key} and ${l2Key} are no pair on L1`);
  }
  const onL2 = async (functionName: string, calldata: readonly Felt[]) =>
    (await l2.read({ address: l2Bridge, functionName, calldata }))?.[0];
  if ((await onL2("get_l1_bridge", [])) !== BigInt(l1Bridge)) {
    throw fault(`${l1Key} and ${l2Key} are no pair on L2`);
  }
  const l2Token = (await onL2("get_l2_token", [BigInt(l1Token)])) ?? 0n;
  if (l2Token === 0n) {
    const message = `${l1Token} has no token on L2 yet: enroll it on L1 (enrollTokenBridge of ERC20_l1_manager_address), and wait for the message`;
    throw new BootstrapError("BOOTSTRAP_NO_TOKEN", message);
  }
  const shared = { l1Token, l2Token, l1Bridge, l2Bridge, core, contract } as const;
  if (name === "eth") return { ...shared, symbol: ETH_TEXT.symbol, decimals: ETH_TEXT.decimals };
  const text = (functionName: string): Promise<unknown> =>
    l1.read({ address: l1Token, contract: "TestToken", functionName, args: [] });
  const [symbol, decimals] = [await text("symbol"), await text("decimals")];
  if (typeof symbol === "string" && typeof decimals === "number") {
    return { ...shared, symbol, decimals };
  }
  throw new BootstrapError("BOOTSTRAP_NO_TOKEN", `${l1Token} on L1 has no symbol and decimals`);
}

/** Formats an amount for display. */
export function amountText(
  amount: bigint,
  { symbol, decimals }: Pick<BridgedToken, "symbol" | "decimals">,
): string {
  return `${formatUnits(amount, decimals)} ${symbol}`;
}

/** Returns an account's balance of the token on L2. */
export async function heldOnL2(
  { l2 }: Pick<Sides, "l2">,
  { l2Token }: Pick<BridgedToken, "l2Token">,
  owner: Felt,
): Promise<bigint> {
  const call = { address: l2Token, functionName: "balance_of", calldata: [owner] };
  const [low, high] = (await l2.read(call)) ?? [];
  if (low !== undefined && high !== undefined) return (high << 128n) + low;
  throw new BootstrapError("BOOTSTRAP_NO_TOKEN", `${hexFromFelt(l2Token)} on L2 is not a token`);
}
