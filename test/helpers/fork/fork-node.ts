import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { type OriginServer, serveOrigin } from "../origin-server.ts";

/** Responses of a fork to the first requests of a command that reads its chain. */
const RESULTS: Readonly<Record<string, JsonValue>> = {
  starknet_specVersion: "0.10.2",
  devnet_getConfig: { fork_config: { url: "http://127.0.0.1:6601/", block_number: 3n } },
};

/** Starts a JSON-RPC server that says that its chain is a fork, and refuses every other method. */
export function startForkNode(): OriginServer {
  return serveOrigin((body) => {
    const { method } = parseJson(body) as { readonly method: string };
    const result = RESULTS[method];
    const answer =
      result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    return stringifyJson({ jsonrpc: "2.0", id: 1, ...answer });
  });
}
