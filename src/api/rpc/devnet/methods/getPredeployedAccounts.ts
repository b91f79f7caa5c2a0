import { bool, type JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { optional } from "../../method.ts";
import type { DevnetAccess, PredeployedAccount } from "../access.ts";
import { balanceIn, devnetMethod, genesisState, newestState } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_getPredeployedAccounts`: the funded accounts of the genesis block with
 * their keys.
 */
export const getPredeployedAccounts = devnetMethod({
  name: "devnet_getPredeployedAccounts",
  family: "read",
  runsOn: "main",
  summary: "The funded accounts of the genesis block with their keys.",
  params: () => ({ with_balance: optional(bool, false) }),
  result: () => (accounts: JsonValue[]) => accounts,
  errors: [],
  handler(context, { with_balance: withBalance }) {
    const { devnet } = context;
    const genesis = genesisState(context);
    const now = withBalance ? newestState(context) : null;
    return devnet.accounts().map((account) => encodeAccount(devnet, account, genesis, now));
  },
});

function encodeAccount(
  devnet: DevnetAccess,
  { address, publicKey, privateKey }: PredeployedAccount,
  genesis: StateReader,
  now: StateReader | null,
): JsonValue {
  return {
    initial_balance: String(balanceIn(devnet, genesis, address, "FRI")),
    address: hexFromFelt(address),
    public_key: hexFromFelt(publicKey),
    private_key: hexFromFelt(privateKey),
    balance: now === null ? null : balancesOf(devnet, now, address),
  };
}

function balancesOf(devnet: DevnetAccess, state: StateReader, address: Felt): JsonValue {
  const balance = (unit: "WEI" | "FRI") => ({
    amount: String(balanceIn(devnet, state, address, unit)),
    unit,
  });
  return { eth: balance("WEI"), strk: balance("FRI") };
}
