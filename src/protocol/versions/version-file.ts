/**
 * One protocol version as its file states it: what it changes against the version before it. Objects
 * change member by member, `null` removes a member, lists are replaced as a whole.
 */
export interface VersionFile {
  readonly version: string;
  /** Changes of hashing and signing rules. */
  readonly rules?: unknown;
  /** Changes of constants; versions older than the engine supports have none. */
  readonly constants?: unknown;
}
