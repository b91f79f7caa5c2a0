import { required } from "../../method.ts";
import { contractAddress } from "../codecs.ts";
import { devnetMethod, NOTHING } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_impersonateAccount`: accepts an account's transactions with any signature
 * from now on.
 */
export const impersonateAccount = devnetMethod({
  name: "devnet_impersonateAccount",
  family: "write",
  runsOn: "main",
  summary: "Accepts an account's transactions with any signature from now on.",
  params: () => ({ account_address: required(contractAddress) }),
  result: () => NOTHING,
  errors: [],
  handler: (context, { account_address: address }) => context.devnet.impersonate(address),
});
