/** Files of one folder, wherever it is, read whole and by name. */
export interface ReadableFolder {
  /** For people: a path, or an address without keys. */
  readonly name: string;
  /**
   * A file whole.
   *
   * @param name - letters, digits, `-` and `.` only, and no `.` at its beginning
   * @param maxBytes - a longer one is an error
   * @returns `undefined`: there is none
   * @throws {StorageError} STORAGE_FILE_TOO_LONG when it is longer, STORAGE_FILE_FAILED when it cannot be
   *   read, or is no plain file
   * @throws {NodeError} NODE_STOPPED when the signal is aborted, NODE_UNREACHABLE when nobody answers,
   *   however often asked, NODE_BAD_ANSWER when the answer is none of a folder
   * @throws {ObjectStoreError} when a store refuses
   */
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** A folder that files can be put into. */
export interface WritableFolder extends ReadableFolder {
  /**
   * Stores a file whole or not at all, in the place of one of that name; it is durable when this returns.
   *
   * @throws as {@link ReadableFolder.read}
   */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a file; one that is not there is none. */
  remove(name: string): Promise<void>;
}

/** What a folder that is not on this machine is asked with. */
export interface RemoteOptions {
  /** How often a question is asked before nobody answers: at least 1. */
  readonly attempts: number;
  /** Before a question is asked again; twice as long with each time. */
  readonly pauseMs: number;
  /** Ends what is under way, and all that is asked afterwards. */
  readonly signal: AbortSignal;
}
