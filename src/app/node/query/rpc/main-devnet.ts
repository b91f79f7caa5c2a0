import type { DevnetAccess, TransactionSubmitter } from "#api/rpc/index.ts";

/** Additions of a development chain to JSON-RPC: development methods, and wrappers of submissions. */
export interface MainDevnet {
  readonly access: DevnetAccess;
  /** Wraps a submitter to record received transactions. */
  watch(submit: TransactionSubmitter): TransactionSubmitter;
  /**
   * Wraps a submitter to delay responses until clients can see the result, unless submission is asynchronous.
   */
  answering(submit: TransactionSubmitter): TransactionSubmitter;
}
