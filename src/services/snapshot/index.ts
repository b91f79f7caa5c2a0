/**
 * A snapshot is a chain at a block, as files: all that the state has, the messages from L1 that may not be
 * consumed again, the headers before the block that later blocks need, the block's bundle, and those of the
 * blocks behind it. `manifest.json` is written last and names each file with its size and SHA-256.
 *
 * Whoever imports one believes a block hash, or the key that signed the block, and nothing else: the header
 * has to have that hash, the state has to give the header's root, classes their own hashes. What no hash
 * covers is not proven: consumed messages of earlier blocks, epochs, in which block something was written
 * or declared, and Cairo 0 classes that no contract has.
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
