/**
 * File of one protocol version: its changes against the previous version. Objects change member by member,
 * `null` removes a member, lists are replaced as a whole.
 */
export interface VersionFile {
  readonly version: string;
  readonly rules?: unknown;
  /** Changes of constants; omitted for versions older than the engine supports. */
  readonly constants?: unknown;
}
