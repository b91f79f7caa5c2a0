import type { Kysely } from "kysely";
import { adoptEventIndex } from "./adopt.ts";
import { fillEventIndex } from "./fill.ts";

/**
 * Brings the index of events of a file that was just migrated to the form that is kept now.
 *
 * @param migrated - names of the migrations
 * @throws {DecodeError} when a row is damaged
 */
export async function deriveEventIndex(
  db: Kysely<unknown>,
  migrated: readonly string[],
): Promise<void> {
  // The one that makes the table, and those behind which rows had another form.
  if (migrated.includes("0002-history")) await fillEventIndex(db);
  else if (migrated.includes("0004-event-parts")) await adoptEventIndex(db);
}
