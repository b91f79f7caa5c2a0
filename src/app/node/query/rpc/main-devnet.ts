import type { DevnetAccess, TransactionSubmitter } from "#api/rpc/index.ts";

/** Development features of a development chain on the main thread. */
export interface MainDevnet {
  readonly access: DevnetAccess;
  /** Wraps a submitter to record received transactions. */
  watch(submit: TransactionSubmitter): TransactionSubmitter;
  /**
   * Wraps a submitter to delay responses until clients can see the result, unless submission is asynchronous.
   */
  answering(submit: TransactionSubmitter): TransactionSubmitter;
}
