import type { NodeValues } from "#app/options/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";

/** Options of a sequencer that shares its chain with others, which may replace it. Contains no secrets. */
export interface ReplicationOptions extends Omit<
  NodeValues["replication"],
  "store" | "standby" | "takeoverAfterMs"
> {
  /** Store in which blocks are published before they become visible. */
  readonly store: ObjectStoreOptions;
  /** `null` to lead as soon as possible; otherwise the node follows, and takes over from a silent leader. */
  readonly standby: StandbyOptions | null;
}

/** Condition for a standby to take over. */
export interface StandbyOptions {
  /** Silence of the leader by the node's monotonic clock, in milliseconds. */
  readonly takeoverAfterMs: number;
}

/** Publish gate of a leading sequencer. */
export interface GateSetup {
  readonly store: ObjectStoreOptions;
  /** Epoch of the blocks produced from now on. */
  readonly epoch: number;
}
