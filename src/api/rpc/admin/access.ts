import type { LogLevel } from "#base/telemetry/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  DropOutcome,
  FlushOutcome,
  MempoolListing,
  MempoolSelection,
} from "#services/admission/index.ts";
import type { MadeBlock, MockMessageToL2 } from "../devnet/access.ts";

/** Maximum transactions in one mempool listing. */
export const MAX_LISTED = 1_000;

/** Maximum transactions named in one request. */
export const MAX_NAMED = 500;

/** Maximum felts of a message's payload; far more than L1 gas could pay for. */
export const MAX_PAYLOAD = 900;

/** Status of a node beyond what its chain provides. */
export interface NodeStatus {
  readonly role: "sequencer" | "full";
  readonly name: string;
  readonly version: string;
  readonly chainId: Felt;
  readonly protocolVersion: string;
  /** Waiting transactions, and those being executed. */
  readonly mempool: Pick<MempoolListing, "waiting" | "inFlight">;
  /** Open JSON-RPC connections, including WebSockets. */
  readonly connections: number;
  readonly uptimeSeconds: number;
  /** Resident memory of the process. */
  readonly memoryBytes: number;
}

/** Operations that an operator may perform on a running node. */
export interface AdminAccess {
  /**
   * Lists waiting transactions in order of arrival.
   *
   * @param offset - number of transactions to skip
   * @param limit - at most {@link MAX_LISTED}
   */
  mempool(offset: number, limit: number, selection: MempoolSelection): Promise<MempoolListing>;
  /** Drops a waiting transaction; settles when that is durable. */
  dropTransaction(hash: Felt): Promise<DropOutcome>;
  /**
   * Drops the selected waiting transactions; settles when that is durable.
   *
   * @throws {NotServedError} when the chain was reverted during the call: some may be left
   */
  flushMempool(selection: MempoolSelection): Promise<FlushOutcome>;
  /**
   * Closes the block being built; settles when it is accepted.
   *
   * @throws {DevnetFault} with the reason if it was not closed
   */
  closeBlock(): Promise<MadeBlock>;
  /**
   * Executes a message as if L1 had sent it, and closes its block; settles when that is accepted. `null` on a
   * chain that gets its messages only from L1.
   *
   * @throws {DevnetFault} with the reason if it was not executed
   */
  readonly addL1HandlerMessage: ((message: MockMessageToL2) => Promise<MadeMessage>) | null;
  /**
   * Reverts the chain to an accepted block, which becomes the newest one.
   *
   * @param check - throws if the revert is no longer allowed: the call may have to wait for its turn
   * @returns the number of accepted blocks that were removed
   * @throws errors of `check`, and {@link StorageError} when the state of the block is no longer kept; then
   *   nothing has changed
   */
  revertTo(blockNumber: number, check: () => void): Promise<number>;
  status(): Promise<NodeStatus>;
  /** Stops the node gracefully, after a short delay in which the response is sent. */
  shutdown(): void;
  /** @returns the previous level */
  setLogLevel(level: LogLevel): LogLevel;
  /** Logs the use of a method that has no operation here. */
  note(use: string, fields: Readonly<Record<string, string | number>>): void;
}

/** Message from L1 in an accepted block. */
export interface MadeMessage {
  readonly transactionHash: Felt;
  readonly block: MadeBlock;
}
