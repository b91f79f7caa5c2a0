import type { JsonObject } from "#base/codec/index.ts";
import { devnetMethod } from "../devnet-context.ts";

/** JSON-RPC method `devnet_getConfig`: settings of the node and of its development chain. */
export const getConfig = devnetMethod({
  name: "devnet_getConfig",
  family: "read",
  runsOn: "main",
  summary: "Settings of the node and of its development chain.",
  params: () => ({}),
  result: () => (config: JsonObject) => config,
  errors: [],
  handler: (context) => context.devnet.config(),
});
