import { type JsonValue, parseJson } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import { devnetMethod } from "../devnet-context.ts";
import { composeDump } from "../dump/compose.ts";
import { DevnetFault } from "../fault.ts";
import { filePath } from "../dump/shared.ts";

/**
 * JSON-RPC method `devnet_dump`: writes the requests that have changed the chain to a file, or
 * returns them.
 */
export const dump = devnetMethod({
  name: "devnet_dump",
  family: "write",
  runsOn: "main",
  summary: "Writes the requests that have changed the chain to a file, or returns them.",
  params: () => ({ path: optional(filePath, undefined) }),
  result: () => (entries: JsonValue) => entries,
  errors: [],
  async handler(context, { path: named }) {
    const { dumps } = context.devnet;
    if (dumps.on === null) throw new DevnetFault("Please provide --dump-on mode on startup.");
    const text = await composeDump(context, dumps);
    const path = named ?? dumps.path;
    if (path === null) return parseJson(text);
    // As in starknet-devnet, an unchanged chain produces no file.
    if (text !== "[]") dumps.write(path, text);
    return null;
  },
});
