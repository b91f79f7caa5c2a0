/** Files of one folder, local or remote, read as a whole by name. */
export interface ReadableFolder {
  /** Display name: a path, or an address without keys. */
  readonly name: string;
  /**
   * Reads a whole file.
   *
   * @param name - only letters, digits, `-` and `.`; must not start with `.`
   * @param maxBytes - maximum size; a longer file is an error
   * @returns `undefined` if it does not exist
   * @throws {StorageError} STORAGE_FILE_TOO_LONG when it exceeds `maxBytes`, STORAGE_FILE_FAILED when it is
   *   unreadable or not a regular file
   * @throws {NodeError} NODE_STOPPED when the signal is aborted, NODE_UNREACHABLE when all attempts fail,
   *   NODE_BAD_ANSWER when the response is not a file
   * @throws {ObjectStoreError} when the object store rejects the request
   */
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Writable folder. */
export interface WritableFolder extends ReadableFolder {
  /**
   * Stores a file atomically, replacing one with the same name; it is durable on return.
   *
   * @throws as {@link ReadableFolder.read}
   */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a file; a missing one is not an error. */
  remove(name: string): Promise<void>;
}

/** Retry settings of a remote folder. */
export interface RemoteOptions {
  /** Maximum number of attempts, at least 1. */
  readonly attempts: number;
  /** Pause before the first retry in milliseconds; doubled for each further one. */
  readonly pauseMs: number;
  /** Aborts the request in flight, and rejects all later ones. */
  readonly signal: AbortSignal;
}
