import type { DevnetAccess, TransactionSubmitter } from "#api/rpc/index.ts";

/** The development features of a development chain on the main thread. */
export interface MainDevnet {
  readonly access: DevnetAccess;
  /** Sees what is received. */
  watch(submit: TransactionSubmitter): TransactionSubmitter;
  /** Keeps answers back until clients can see what became of what they sent, unless told otherwise. */
  answering(submit: TransactionSubmitter): TransactionSubmitter;
}
