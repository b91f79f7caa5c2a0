import type { JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { RequestRecorder } from "./recorder.ts";

/**
 * Setting of when a development chain dumps itself: at exit, after each block, or only on request.
 */
export type DumpOn = "exit" | "block" | "request";

/** Operations for dumping and loading; paths are relative to the node's working directory at its start. */
export interface DumpAccess {
  /** `null` disables dumps and their recording. */
  readonly on: DumpOn | null;
  /** File for dumps whose request contains no path. */
  readonly path: string | null;
  /** Records the state-changing requests; empty if {@link on} is `null`. */
  readonly recorder: RequestRecorder;
  /** While a dump is being loaded, other requests must not change the chain. */
  isLoading: boolean;
  /**
   * Settles when a transaction is executed.
   *
   * @throws {DevnetFault} when it is rejected, or takes too long
   */
  executed(transactionHash: Felt): Promise<void>;
  /**
   * Runs a load that replaces the chain. If it fails, the chain is as before, also when the node is killed in
   * between.
   *
   * @param isStart - whether the node is starting, and stops if the load fails
   * @throws {DevnetFault} when the chain cannot be kept meanwhile; errors of `load`
   */
  whole(load: () => Promise<void>, isStart: boolean): Promise<void>;
  /** If blocks are created on demand, settles when the block is accepted; otherwise settles immediately. */
  accepted(blockNumber: number): Promise<void>;
  /** If held, blocks are created only on request; otherwise as the settings say. */
  hold(isHeld: boolean): void;
  /**
   * Continues time from `timestamp` (Unix seconds) if that is ahead of the system's time, otherwise with the
   * system's.
   */
  resumeTime(timestamp: number): Promise<void>;
  /**
   * Reads the JSON document of a file.
   *
   * @throws {DevnetFault} when it cannot be read, is too large or not JSON, or the path is not allowed
   */
  read(path: string): Promise<JsonValue>;
  /**
   * Writes a file atomically.
   *
   * @throws {DevnetFault} when it cannot be written, contains anything but a dump, or the path is not allowed
   */
  write(path: string, text: string): void;
}
