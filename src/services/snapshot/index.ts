/**
 * Snapshots: a chain at a block, as files. They hold the complete state, the messages from L1 that must not
 * be consumed again, the headers before the block that later blocks need, the block's bundle, and the bundles
 * of later blocks. `manifest.json` is written last and lists each file with its size and SHA-256.
 *
 * An import trusts a block hash, or the key that signed the block, and nothing else: the header must have
 * that hash, the state must give the header's root, and classes must have their own hashes. Data that no hash
 * covers is not verified: consumed messages of earlier blocks, epochs, block numbers of writes and
 * declarations, and Cairo 0 classes that no contract has.
 */
export { applyLater, type LaterBlocks } from "./apply-later.ts";
export { checkBlock, type SnapshotBlock, type SnapshotTrust } from "./check-block.ts";
export type { ClassChecks } from "./check-class.ts";
export { dropExport, findExport, type FoundExport } from "./export-journal.ts";
export { exportSnapshot, type SnapshotExport } from "./export-snapshot.ts";
export { sha256Of } from "./file-form.ts";
export {
  decodeProgress,
  encodeProgress,
  type ImportJournal,
  type ImportProgress,
} from "./import-journal.ts";
export { importRows, type RowImport } from "./import-rows.ts";
export { MANIFEST, type SnapshotKind } from "./kinds.ts";
export {
  decodeManifest,
  MAX_MANIFEST_BYTES,
  requireWhole,
  type SnapshotFile,
  type SnapshotManifest,
} from "./manifest.ts";
export { readBounded } from "./read-file.ts";
export { SNAPSHOT_WRONG, wrongSnapshot } from "./wrong.ts";
