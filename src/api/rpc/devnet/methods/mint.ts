import { hexFromFelt } from "#base/primitives/index.ts";
import { repeatWhileMissing } from "../../fork/repeat.ts";
import { optional, required } from "../../method.ts";
import { balanceUnit, contractAddress, tokenAmount } from "../codecs.ts";
import { balanceIn, devnetMethod, newestState } from "../devnet-context.ts";
import { DEVNET_CODES, DevnetFault } from "../fault.ts";

/**
 * JSON-RPC method `devnet_mint`: mints tokens for an account, by a transaction of the chain's
 * faucet.
 */
export const mint = devnetMethod({
  name: "devnet_mint",
  family: "write",
  runsOn: "main",
  summary: "Mints tokens for an account, by a transaction of the chain's faucet.",
  params: () => ({
    address: required(contractAddress),
    amount: required(tokenAmount),
    unit: optional(balanceUnit, "FRI"),
  }),
  result:
    () =>
    (minted: { readonly new_balance: string; readonly unit: string; readonly tx_hash: string }) =>
      minted,
  errors: [],
  async handler(context, { address, amount, unit }, _fail, client) {
    const { devnet } = context;
    const { transactionHash, revertReason } = await devnet.mint(address, amount, unit);
    const hash = hexFromFelt(transactionHash);
    if (revertReason !== null) {
      const data = { tx_hash: hash, revert_reason: revertReason };
      throw new DevnetFault("Minting reverted", DEVNET_CODES.failed, data);
    }
    const balance = await repeatWhileMissing(context.fork, client, () =>
      balanceIn(devnet, newestState(context), address, unit),
    );
    return { new_balance: String(balance), unit, tx_hash: hash };
  },
});
