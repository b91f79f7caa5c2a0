import { DecodeError } from "#base/errors/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { LEADER } from "./keys.ts";
import { decodeLeader, type LeaderRecord, MAX_LEADER_BYTES } from "./leader-record.ts";

/** Stored `leader` object. */
export interface StoredLeader {
  /** `undefined` if the stored bytes are not a leader record. */
  readonly leader: LeaderRecord | undefined;
  /** `undefined` if the store gives the object no ETag: the record was copied from another store. */
  readonly etag: string | undefined;
}

/**
 * Reads the leader record from the store.
 *
 * @returns `undefined` if nobody has led yet
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
