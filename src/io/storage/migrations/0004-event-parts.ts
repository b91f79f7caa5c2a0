import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { adoptEventIndex } from "../event-index/adopt.ts";

/** Full segments of the index of events are made of their parts little by little. */
export const eventParts: Migration = {
  up: (db: Kysely<unknown>): Promise<void> => adoptEventIndex(db),
};
