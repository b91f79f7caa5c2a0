import { devnetMethod, NOTHING } from "../devnet-context.ts";

/** devnet_stopAutoImpersonate. */
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
