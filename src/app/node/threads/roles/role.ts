import type { ThreadPlan } from "../plan.ts";

/**
 * Name of a role: a `sequencer` produces blocks; a `devnet` is one with development features; a `full node`
 * follows a sequencer; a `standby` follows one and can replace it.
 */
export type RoleName = "sequencer" | "devnet" | "full node" | "standby";

/**
 * Context in which methods run on the main thread: `MainContext`, `AdmissionContext`, `DevnetContext` and
 * `AdminContext` of the RPC methods.
 */
export type MainContextName = "main" | "admission" | "devnet" | "admin";

/** Declarative description of a role: nothing is started, connected or served that it does not name. */
export interface Role {
  readonly name: RoleName;
  /** Threads of the role, their connections, and the order of start and stop. */
  readonly threads: ThreadPlan;
  /** Method contexts that each place serves; a method of another context is not found. */
  readonly contexts: {
    readonly main: readonly MainContextName[];
    readonly query: readonly ["query"];
  };
  /** Condition of `/ready`: serving requests, or being in sync with the source. */
  readonly readiness: "serving" | "in sync";
}
