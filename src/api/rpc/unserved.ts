import type { BoundMethod } from "./bound-method.ts";
import { methodNotFound, onlyOverWebSocket } from "./json-rpc.ts";
import type { ResponseNotes } from "./response-notes.ts";
import type { RpcErrorObject } from "./spec/version.ts";
import { isSubscription, type MethodTable } from "./table.ts";

/** Whether a request need not be answered: it only reads, and its client has disconnected. */
export function isPointless<C>(
  table: MethodTable<C>,
  { name, runsOn }: BoundMethod<C>,
  { caller }: ResponseNotes,
): boolean {
  return caller.isDisconnected && runsOn !== "admission" && table.methods.has(name);
}

/**
 * Creates the error for a method that a table does not have: "method not found" with the most similar name, or
 * for a subscription method the hint that it needs a WebSocket.
 */
export function unknownMethod(table: MethodTable, method: string): RpcErrorObject {
  return isSubscription(table, method)
    ? onlyOverWebSocket(method)
    : methodNotFound(method, table.nearest(method));
}
