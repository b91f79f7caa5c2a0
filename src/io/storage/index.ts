export {
  type CompiledClassStore,
  type CompiledStoreOptions,
  openCompiledClasses,
  type StoredCompiledClass,
} from "./compiled/store.ts";
export { createChainReader } from "./chain-reader.ts";
export { createChainWriter } from "./chain-writer.ts";
export { type DatabaseHandle, type DatabaseOptions, openDatabase } from "./database.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
export {
  clearExecutionRecord,
  ExecutionJournal,
  type ExecutionRecord,
  readExecutionRecord,
  UNNAMED,
} from "./mempool/execution-journal.ts";
export { openMempoolStore } from "./mempool/store.ts";
export type {
  MempoolEntry,
  MempoolRejection,
  MempoolStore,
  RejectionCause,
  StoredMempoolEntry,
} from "./mempool/types.ts";
export type { BlockCommit, ChainWriter, StoredChainReader } from "./types.ts";
