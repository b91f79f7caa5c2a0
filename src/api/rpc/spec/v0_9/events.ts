import type { Encoder, EventsPage } from "../version.ts";
import { encodeEmitted, eventsPageOf } from "../v0_10/events.ts";

/** EVENTS_CHUNK: an event does not tell its index, nor that of its transaction. */
export const encodeEventsPage: Encoder<EventsPage> = eventsPageOf(encodeEmitted);
