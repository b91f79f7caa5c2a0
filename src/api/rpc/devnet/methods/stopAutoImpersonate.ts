import { method } from "../../method.ts";
import { devnetOf, NOTHING } from "../devnet-context.ts";

/** devnet_stopAutoImpersonate. */
export const stopAutoImpersonate = method({
  name: "devnet_stopAutoImpersonate",
  family: "write",
  runsOn: "main",
  summary: "Ends devnet_autoImpersonate; accounts that were named one by one stay impersonated.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => devnetOf(context).impersonateAll(false),
});
