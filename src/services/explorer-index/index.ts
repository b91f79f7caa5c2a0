export type { IndexedChain } from "./batch.ts";
export { type ExplorerBlock, explorerRows, senderOf } from "./block-rows.ts";
export { ExplorerIndexer, type IndexerDeps, type IndexReport } from "./indexer.ts";
export { type TokenTransfer, tokenTransferOf } from "./transfer-event.ts";
