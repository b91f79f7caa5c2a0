import { type ObjectStore, openObjectStore, readObjectStoreKeys } from "#io/objects/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";

/**
 * The store of an option, with the keys of its file or of the environment.
 *
 * @param signal - ends what is under way, and all that is asked afterwards
 * @throws {ConfigError} when there are no keys, or others can read their file
 */
export function openStore(options: ObjectStoreOptions, signal: AbortSignal): ObjectStore {
  return openObjectStore(options, readObjectStoreKeys(options, process.env), signal);
}
