import type { ObjectStoreOptions } from "#io/objects/index.ts";

/** Options of a sequencer that shares its chain with others, which may replace it. Contains no secrets. */
export interface ReplicationOptions {
  /** Store in which blocks are published before they become visible. */
  readonly store: ObjectStoreOptions;
  /** `null` to lead as soon as possible; otherwise the node follows, and takes over from a silent leader. */
  readonly standby: StandbyOptions | null;
  /**
   * Maximum wait of a block at the publish gate while the leader's heartbeats are written, in milliseconds.
   */
  readonly publishTimeoutMs: number;
  /** Maximum wait of submissions while no sequencer leads, in milliseconds; 0 to refuse them immediately. */
  readonly takeoverHoldMs: number;
  /** URL at which other nodes reach this node's gateway; `null` to use its listen address. */
  readonly advertisedGateway: string | null;
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
