import type { Encoder, EventsPage } from "../version.ts";
import { encodeEmitted, eventsPageOf } from "../v0_10/events.ts";

/** EVENTS_CHUNK: events have neither their index nor that of their transaction. */
export const encodeEventsPage: Encoder<EventsPage> = eventsPageOf(encodeEmitted);
