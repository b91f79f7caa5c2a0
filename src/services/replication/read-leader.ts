import { DecodeError } from "#base/errors/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { LEADER } from "./keys.ts";
import { decodeLeader, type LeaderRecord, MAX_LEADER_BYTES } from "./leader-record.ts";

/** The object that says who leads. */
export interface StoredLeader {
  /** `undefined`: what is stored is no record. */
  readonly leader: LeaderRecord | undefined;
  /** `undefined` when the store has none: the record was copied from another store. */
  readonly etag: string | undefined;
}

/**
 * Who leads, as the store says.
 *
 * @returns `undefined`: nobody has led yet
 * @throws {ObjectStoreError} as {@link ObjectStore.get}
 */
export async function readLeader(
  store: Pick<ObjectStore, "get">,
): Promise<StoredLeader | undefined> {
  const object = await store.get(LEADER, MAX_LEADER_BYTES);
  return object && { leader: recordOf(object.bytes), etag: object.etag };
}

function recordOf(bytes: Uint8Array): LeaderRecord | undefined {
  try {
    return decodeLeader(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
