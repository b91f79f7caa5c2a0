import { required } from "../../method.ts";
import { contractAddress } from "../codecs.ts";
import { devnetMethod, NOTHING } from "../devnet-context.ts";

/** JSON-RPC method `devnet_stopImpersonateAccount`: validates an account's signatures again. */
export const stopImpersonateAccount = devnetMethod({
  name: "devnet_stopImpersonateAccount",
  family: "write",
  runsOn: "main",
  summary: "Validates an account's signatures again.",
  params: () => ({ account_address: required(contractAddress) }),
  result: () => NOTHING,
  errors: [],
  handler: (context, { account_address: address }) => context.devnet.stopImpersonating(address),
});
