import { stringifyJson } from "#base/codec/index.ts";
import { once } from "#base/primitives/index.ts";
import { type HttpReply, jsonReply } from "../http/message.ts";
import { rpcPaths } from "../http/paths.ts";
import type { MethodTable } from "../table.ts";
import { openRpcDocument } from "./document.ts";

/** File name of the document below every JSON-RPC path. */
const FILE = "openrpc.json";

/**
 * Creates the pages of OpenRPC documents: `/openrpc.json` for the newest version, `/rpc/v0_8/openrpc.json`
 * for another one. Each document is created on first request.
 *
 * @param tables - newest first
 */
export function openRpcPages(
  tables: readonly [MethodTable, ...MethodTable[]],
): ReadonlyMap<string, () => HttpReply> {
  const documents = new Map(tables.map((table) => [table, once(() => replyOf(table))]));
  const pages = new Map<string, () => HttpReply>();
  for (const [path, table] of rpcPaths(tables)) {
    const reply = documents.get(table);
    if (reply !== undefined) pages.set(`${path.replace(/\/$/, "")}/${FILE}`, reply);
  }
  return pages;
}

function replyOf(table: MethodTable): HttpReply {
  return jsonReply(stringifyJson(openRpcDocument(table)), 200);
}
