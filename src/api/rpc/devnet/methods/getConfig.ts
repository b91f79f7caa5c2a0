import type { JsonObject } from "#base/codec/index.ts";
import { method } from "../../method.ts";
import { devnetOf } from "../devnet-context.ts";

/** devnet_getConfig. */
export const getConfig = method({
  name: "devnet_getConfig",
  family: "read",
  runsOn: "main",
  summary: "Settings of the node and of its development chain.",
  params: () => ({}),
  result: () => (config: JsonObject) => config,
  errors: [],
  handler: (context) => devnetOf(context).config(),
});
