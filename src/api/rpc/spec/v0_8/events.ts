import type { Encoder, EventsPage } from "../version.ts";
import { encodeEmitted, eventsPageOf } from "../v0_10/events.ts";

/**
 * Encodes EVENTS_CHUNK. As in receipts of version 0.8, an event of the pending block has no block
 * number; clients recognize pending events by that.
 */
export const encodeEventsPage: Encoder<EventsPage> = eventsPageOf((emitted) => {
  const { block_number, ...members } = encodeEmitted(emitted);
  return emitted.blockHash === undefined ? members : { ...members, block_number };
});
