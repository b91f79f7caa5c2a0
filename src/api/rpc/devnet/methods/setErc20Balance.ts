import { required } from "../../method.ts";
import { contractAddress, tokenAmount } from "../codecs.ts";
import { devnetMethod } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_setErc20Balance`: sets an account's balance in any ERC-20 token, by
 * writing the storage variables that its balance_of reads. The total supply stays.
 */
export const setErc20Balance = devnetMethod({
  name: "devnet_setErc20Balance",
  family: "write",
  runsOn: "main",
  summary:
    "Sets an account's balance in any ERC-20 token, by writing the storage variables that its balance_of reads. The total supply stays.",
  params: () => ({
    token: required(contractAddress),
    account: required(contractAddress),
    amount: required(tokenAmount),
  }),
  result: () => (answer: { readonly new_balance: string }) => answer,
  errors: [],
  async handler(context, { token, account, amount }) {
    await context.devnet.setBalance({ token, account, amount });
    return { new_balance: String(amount) };
  },
});
