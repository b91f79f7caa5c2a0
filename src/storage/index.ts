export type {
  BlockCommit,
  ChainWriter,
  StoredCasm,
  StoredChainReader,
  StoredL1Message,
} from "./types.ts";
export { type DatabaseHandle, type DatabaseOptions, openDatabase } from "./database.ts";
export { type ChainReaderOptions, createChainReader } from "./chain-reader.ts";
export { createChainWriter } from "./chain-writer.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
export { openMempoolStore } from "./mempool/store.ts";
export type {
  MempoolChanges,
  MempoolEntry,
  MempoolRejection,
  MempoolStore,
  RejectionCause,
  StoredMempoolEntry,
} from "./mempool/types.ts";
export {
  clearExecutionRecord,
  ExecutionJournal,
  type ExecutionRecord,
  readExecutionRecord,
  UNNAMED,
} from "./mempool/execution-journal.ts";
