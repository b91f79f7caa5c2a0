import type { ThreadPlan } from "../plan.ts";

/**
 * What a node can be: `sequencer` makes blocks; `devnet` is one with development features; a `full node`
 * follows a sequencer; a `standby` follows one and can take its place.
 */
export type RoleName = "sequencer" | "devnet" | "full node" | "standby";

/**
 * A context in which methods run on the main thread: `MainContext`, `AdmissionContext`, `DevnetContext`
 * and `AdminContext` of the RPC methods.
 */
export type MainContextName = "main" | "admission" | "devnet" | "admin";

/** What a node is, as a value: nothing is started, connected or served that it does not name. */
export interface Role {
  readonly name: RoleName;
  /** Its threads: which, who talks to whom, when each starts and stops. */
  readonly threads: ThreadPlan;
  /** The contexts that each place serves; a method whose context is not named is not found. */
  readonly contexts: {
    readonly main: readonly MainContextName[];
    readonly query: readonly ["query"];
  };
  /** When `/ready` says yes: as soon as it serves, or as long as it is not behind what it follows. */
  readonly readiness: "serving" | "in sync";
}
