import { devnetMethod, NOTHING } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_stopAutoImpersonate`: ends devnet_autoImpersonate; individually
 * impersonated accounts stay impersonated.
 */
export const stopAutoImpersonate = devnetMethod({
  name: "devnet_stopAutoImpersonate",
  family: "write",
  runsOn: "main",
  summary: "Ends devnet_autoImpersonate; individually impersonated accounts stay impersonated.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => context.devnet.impersonateAll(false),
});
