import type { JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { RequestRecorder } from "./recorder.ts";

/** When a node dumps by itself, as starknet-devnet calls it; `request`: only when it is asked to. */
export type DumpOn = "exit" | "block" | "request";

/** What dumping and loading work with; paths are relative to the folder that the node was started in. */
export interface DumpAccess {
  /** `null`: no dumps are made, and nothing is recorded for them. */
  readonly on: DumpOn | null;
  /** File that is dumped to where a request names none. */
  readonly path: string | null;
  /** Has the state-changing requests; empty where {@link on} is `null`. */
  readonly recorder: RequestRecorder;
  /** A dump is being loaded: nobody else may change the chain. */
  isLoading: boolean;
  /**
   * Settles when a transaction is executed.
   *
   * @throws {DevnetFault} when it is rejected, or takes too long
   */
  executed(transactionHash: Felt): Promise<void>;
  /** Settles when a block is accepted that follows at once what is put into it; at once elsewhere. */
  accepted(blockNumber: number): Promise<void>;
  /** Has blocks made on request only, or again as the settings say. */
  hold(isHeld: boolean): void;
  /** Time goes on from `timestamp` (Unix seconds) where that is ahead of the system's, else with it. */
  resumeTime(timestamp: number): Promise<void>;
  /**
   * The JSON document of a file.
   *
   * @throws {DevnetFault} when it cannot be read, is too large or no JSON, or may not be named
   */
  read(path: string): Promise<JsonValue>;
  /**
   * Writes a file as a whole or not at all.
   *
   * @throws {DevnetFault} when it cannot be written, holds something else than a dump, or may not be
   *   named
   */
  write(path: string, text: string): void;
}
