import type { Kysely } from "kysely";
import { adoptEventIndex } from "./adopt.ts";
import { fillEventIndex } from "./fill.ts";

/**
 * Converts the event index of a freshly migrated file to its current form.
 *
 * @param migrated - names of the migrations
 * @throws {DecodeError} when a row is damaged
 */
export async function deriveEventIndex(
  db: Kysely<unknown>,
  migrated: readonly string[],
): Promise<void> {
  // The migration that creates the table, and the one before which rows had another form.
  if (migrated.includes("0002-history")) await fillEventIndex(db);
  else if (migrated.includes("0004-event-parts")) await adoptEventIndex(db);
}
