import { type ObjectStore, openObjectStore, readObjectStoreKeys } from "#io/objects/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";

/**
 * Opens the store of an option, with keys from its file or the environment.
 *
 * @param signal - aborts requests in flight and all later ones
 * @throws {ConfigError} when keys are missing, or other users can read their file
 */
export function openStore(options: ObjectStoreOptions, signal: AbortSignal): ObjectStore {
  return openObjectStore(options, readObjectStoreKeys(options, process.env), signal);
}
