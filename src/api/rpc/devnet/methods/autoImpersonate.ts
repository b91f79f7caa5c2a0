import { devnetMethod, NOTHING } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_autoImpersonate`: accepts the transactions of all accounts with any
 * signature from now on.
 */
export const autoImpersonate = devnetMethod({
  name: "devnet_autoImpersonate",
  family: "write",
  runsOn: "main",
  summary: "Accepts the transactions of all accounts with any signature from now on.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => context.devnet.impersonateAll(true),
});
