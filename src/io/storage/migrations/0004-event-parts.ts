import type { Migration } from "kysely/migration";

/**
 * Full segments of the index of events are made of their parts little by little. No table changes: what
 * opens the file brings the rows there, `deriveEventIndex`.
 */
export const eventParts: Migration = {
  up: (): Promise<void> => Promise.resolve(),
};
