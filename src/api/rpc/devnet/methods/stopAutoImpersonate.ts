import { devnetMethod, NOTHING } from "../devnet-context.ts";

/** devnet_stopAutoImpersonate. */
export const stopAutoImpersonate = devnetMethod({
  name: "devnet_stopAutoImpersonate",
  family: "write",
  runsOn: "main",
  summary: "Ends devnet_autoImpersonate; accounts that were named one by one stay impersonated.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => context.devnet.impersonateAll(false),
});
