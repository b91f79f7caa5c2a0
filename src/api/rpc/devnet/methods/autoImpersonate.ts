import { method } from "../../method.ts";
import { devnetOf, NOTHING } from "../devnet-context.ts";

/** devnet_autoImpersonate. */
export const autoImpersonate = method({
  name: "devnet_autoImpersonate",
  family: "write",
  runsOn: "main",
  summary: "Takes the transactions of all accounts with any signature from now on.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => devnetOf(context).impersonateAll(true),
});
