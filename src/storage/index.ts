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
export { type MempoolEntry, type MempoolStore, openMempoolStore } from "./mempool/store.ts";
