import type { LogLevel } from "#base/telemetry/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  DropOutcome,
  FlushOutcome,
  MempoolListing,
  MempoolSelection,
} from "#services/admission/index.ts";
import type { MadeBlock, MockMessageToL2 } from "../devnet/access.ts";

/** Most transactions of one look into the mempool. */
export const MAX_LISTED = 1_000;

/** Most transactions that are named in one request. */
export const MAX_NAMED = 500;

/** Most felts of a message's payload; what L1 could pay for is far less. */
export const MAX_PAYLOAD = 900;

/** How a node is doing, as far as its chain does not tell. */
export interface NodeStatus {
  readonly role: "sequencer" | "full";
  readonly name: string;
  /** Version of the program. */
  readonly version: string;
  readonly chainId: Felt;
  /** That new blocks get. */
  readonly protocolVersion: string;
  /** Transactions that wait, and those that the executor has. */
  readonly mempool: Pick<MempoolListing, "waiting" | "inFlight">;
  /** Open connections of JSON-RPC, WebSockets among them. */
  readonly connections: number;
  readonly uptimeSeconds: number;
  /** Resident memory of the process. */
  readonly memoryBytes: number;
}

/** What whoever runs a node may do with it while it runs. */
export interface AdminAccess {
  /**
   * Waiting transactions in the order of their arrival.
   *
   * @param offset - those that are passed over
   * @param limit - at most {@link MAX_LISTED}
   */
  mempool(offset: number, limit: number, selection: MempoolSelection): Promise<MempoolListing>;
  /** Drops a waiting transaction; settles when that is durable. */
  dropTransaction(hash: Felt): Promise<DropOutcome>;
  /**
   * Drops the waiting transactions that are meant; settles when that is durable.
   *
   * @throws {NotServedError} when the chain was reverted meanwhile: some may be left
   */
  flushMempool(selection: MempoolSelection): Promise<FlushOutcome>;
  /**
   * Closes the block being built; settles when it is accepted.
   *
   * @throws {DevnetFault} why it was not closed
   */
  closeBlock(): Promise<MadeBlock>;
  /**
   * Executes a message as if L1 had sent it, and closes its block; settles when that is accepted.
   * `null`: the chain gets its messages from L1 alone.
   *
   * @throws {DevnetFault} why it was not executed
   */
  readonly addL1HandlerMessage: ((message: MockMessageToL2) => Promise<MadeMessage>) | null;
  /**
   * Makes an accepted block the newest one.
   *
   * @param check - throws when it is not to be done any more: it may have to wait for its turn
   * @returns how many accepted blocks are gone
   * @throws what `check` throws, and {@link StorageError} when the state of the block is not kept any
   *   more; nothing has changed then
   */
  revertTo(blockNumber: number, check: () => void): Promise<number>;
  status(): Promise<NodeStatus>;
  /** Stops the node in order, a little later: whoever asks for it is answered before. */
  shutdown(): void;
  /** @returns the level before */
  setLogLevel(level: LogLevel): LogLevel;
  /** Puts a use into the log that has no function of its own here. */
  note(use: string, fields: Readonly<Record<string, string | number>>): void;
}

/** A message from L1 that is in an accepted block. */
export interface MadeMessage {
  readonly transactionHash: Felt;
  readonly block: MadeBlock;
}
