import type { Migration } from "kysely/migration";

/**
 * Marks the incremental merge of parts into full segments of the event index. No table changes:
 * `deriveEventIndex` converts the rows when the file is opened.
 */
export const eventParts: Migration = {
  up: (): Promise<void> => Promise.resolve(),
};
