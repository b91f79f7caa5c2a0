import type { Encoder, EventsPage } from "../version.ts";
import { encodeEmitted, eventsPageOf } from "../v0_10/events.ts";

/** Encodes EVENTS_CHUNK of JSON-RPC 0.9: events lack their index and their transaction's index. */
export const encodeEventsPage: Encoder<EventsPage> = eventsPageOf(encodeEmitted);
