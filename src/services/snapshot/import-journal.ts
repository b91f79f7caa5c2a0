import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";

/**
 * Progress of a snapshot import: the hash of its manifest and the number of imported files, stored
 * with the imported rows.
 */
export interface ImportProgress {
  /** SHA-256 of the snapshot's manifest, hexadecimal. */
  readonly manifest: string;
  /** Number of the manifest's files that are stored, from the first on. */
  readonly files: number;
}

/** Persists the progress of an import. Earlier writes must be durable before a progress write. */
export interface ImportJournal {
  read(): ImportProgress | undefined;
  write(progress: ImportProgress): void;
}

/** Encodes the progress of an import for the journal. */
export function encodeProgress({ manifest, files }: ImportProgress): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.text(manifest);
  writer.varint(files);
  return writer.finish();
}

/**
 * Decodes the progress of an import from the journal.
 *
 * @returns `undefined` for malformed bytes: the import then starts over
 */
export function decodeProgress(bytes: Uint8Array): ImportProgress | undefined {
  try {
    const reader = new ByteReader(bytes, "progress");
    const progress = { manifest: reader.text(), files: reader.varint() };
    reader.end();
    return progress;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
