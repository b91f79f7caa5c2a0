import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { EmittedEvent, Encoder, EventsPage } from "../version.ts";

/** Encodes EVENTS_CHUNK of JSON-RPC 0.10: a page of events. */
export const encodeEventsPage: Encoder<EventsPage> = eventsPageOf((emitted) => ({
  ...encodeEmitted(emitted),
  transaction_index: emitted.transactionIndex,
  event_index: emitted.eventIndex,
}));

/** Creates the encoder of EVENTS_CHUNK for a version; `encode` writes its EMITTED_EVENT. */
export function eventsPageOf(encode: (emitted: EmittedEvent) => JsonValue): Encoder<EventsPage> {
  return ({ events, continuationToken }) => ({
    events: events.map(encode),
    ...(continuationToken === undefined ? {} : { continuation_token: continuationToken }),
  });
}

/** Encodes the members of EMITTED_EVENT that all versions have. */
export function encodeEmitted(emitted: EmittedEvent): JsonObject {
  const { event, blockNumber, blockHash, transactionHash } = emitted;
  return {
    from_address: hexFromFelt(event.fromAddress),
    keys: event.keys.map(hexFromFelt),
    data: event.data.map(hexFromFelt),
    ...(blockHash === undefined ? {} : { block_hash: hexFromFelt(blockHash) }),
    block_number: blockNumber,
    transaction_hash: hexFromFelt(transactionHash),
  };
}
