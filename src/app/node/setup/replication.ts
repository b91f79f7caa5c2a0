import type { ObjectStoreOptions } from "#io/objects/index.ts";

/** How a sequencer shares its chain with others that may take its place. Holds no secrets. */
export interface ReplicationOptions {
  /** Where blocks are published before anybody hears of them. */
  readonly store: ObjectStoreOptions;
  /** `null`: it leads as soon as it may; else it follows whoever leads, and takes over from one that is silent. */
  readonly standby: StandbyOptions | null;
  /** Time that a block may wait at the gate of a leader whose signs of life are written. */
  readonly publishTimeoutMs: number;
  /** Time that submissions wait for a sequencer while none leads, in milliseconds; 0: none waits. */
  readonly takeoverHoldMs: number;
  /** Where others reach this node's gateway; `null`: at the address where it listens. */
  readonly advertisedGateway: string | null;
}

/** When a standby takes over. */
export interface StandbyOptions {
  /** Silence of the leader, by the own monotonic clock. */
  readonly takeoverAfterMs: number;
}

/** The gate of a sequencer that leads. */
export interface GateSetup {
  readonly store: ObjectStoreOptions;
  /** Of the blocks that are made from now on. */
  readonly epoch: number;
}
