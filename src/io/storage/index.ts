export {
  type CompiledClassStore,
  type CompiledStoreOptions,
  openCompiledClasses,
} from "./compiled/store.ts";
export type { StoredCompiledClass } from "./compiled/types.ts";
export {
  type ForkStore,
  type ForkStoreEntry,
  type ForkStoreOptions,
  openForkStore,
  readStoredFork,
} from "./fork/store.ts";
export type { StoredFork } from "./fork/stored-fork.ts";
export { createChainReader } from "./chain-reader.ts";
export { createChainWriter } from "./chain-writer.ts";
export { type DatabaseHandle, type DatabaseOptions, openDatabase } from "./database.ts";
export { createIntegrityReader, type IntegrityReader, type MetaRow } from "./integrity/reader.ts";
export type {
  BlockRow,
  ChainMarks,
  ClassRow,
  RowCounts,
  SetValueCounts,
  TrieRootRow,
} from "./integrity/rows.ts";
export {
  CHAIN_SCHEMA_VERSION,
  type FileIdentity,
  fileIdentity,
  isUnwritten,
} from "./file-identity.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
export { bindDatabase, type FileChain } from "./bind-file.ts";
export { damagedDatabase, isDamage } from "./damage.ts";
export {
  bindExecutionJournal,
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
  SenderPause,
  SuspectMessage,
  StoredMempoolEntry,
} from "./mempool/types.ts";
export type {
  BlockCommit,
  ChainRetention,
  ChainWriter,
  ChainWriterOptions,
  StoredChainReader,
  RevertProgress,
} from "./types.ts";
export { type BackupManifest, type BackupPart } from "./backup/manifest.ts";
export { openBackup, type OpenBackup } from "./backup/read-backup.ts";
export { type BackupRequest, type BackupResult, writeBackup } from "./backup/write-backup.ts";
export { COMPACT_SUFFIX, type Compaction, compactDatabase } from "./compact.ts";
export { fileFailure, noRoomSentence } from "./file-failure.ts";
export {
  fileReport,
  type FileReport,
  replacedTrieNodes,
  type TableReport,
  tableReports,
} from "./file-report.ts";
export {
  createExplorerReader,
  type BlockSummary,
  ExplorerFile,
  type ExplorerReader,
  type ClassPlace,
} from "./explorer/reader.ts";
export { type ExplorerStore, openExplorerStore } from "./explorer/store.ts";
export type {
  ClassChange,
  ContractRow,
  DeclaredRow,
  EventPlace,
  FoundClass,
  FoundContract,
  FoundTransfer,
  IndexedBlock,
  IndexPosition,
  RowPlace,
  SentRow,
  TouchedRow,
  TransactionPlace,
  TransferRow,
} from "./explorer/types.ts";
export { openSnapshotReader } from "./snapshot/reader.ts";
export type {
  SnapshotClass,
  SnapshotContract,
  SnapshotEnd,
  SnapshotMessage,
  SnapshotReader,
  SnapshotStorage,
  SnapshotWriter,
} from "./snapshot/types.ts";
export { replaceFile, tryReplacing } from "./replace-file.ts";
export { nothingOlderError } from "./retention.ts";
export { createSnapshotWriter } from "./snapshot/writer.ts";
export { requireRoom, syncPath, vacuumInto } from "./vacuum.ts";
