import type { Abi } from "../abi/abi.ts";
import { callTreeOf } from "../decode/call-tree.ts";
import { type EmittedEvent, eventClassesOf } from "../decode/event-classes.ts";
import { type NamedEvent, namedEvent } from "../decode/named-event.ts";
import type { Json, JsonObject } from "../rpc/json.ts";

/** What decoding by trace needs of the page. */
export interface TracePort {
  /** Sends one request to the node. */
  call(method: string, params: JsonObject): Promise<Json>;
  /** ABI of a class; an empty one if the node does not know the class. */
  abiOfClass(classHash: string): Promise<Abi>;
}

/**
 * Decodes an event by the class that ran when it was emitted, which the trace of its transaction names: behind a proxy,
 * that is not the class of the contract.
 *
 * @returns `undefined` if no call of the trace has the event, or that class does not describe it
 * @throws {PageError} when the node has no trace, or does not respond
 */
export async function tracedEvent(
  transactionHash: string,
  event: EmittedEvent,
  port: TracePort,
): Promise<NamedEvent | undefined> {
  const params = { transaction_hash: transactionHash };
  const trace = await port.call("starknet_traceTransaction", params);
  const [classHash] = eventClassesOf(callTreeOf(trace), [event]);
  if (classHash === undefined) return undefined;
  return namedEvent(await port.abiOfClass(classHash), event.keys, event.data);
}
