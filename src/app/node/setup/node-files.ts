import { join } from "node:path";
import { MAX_ADMISSION_THREADS } from "#protocol/config/index.ts";

/** Location of the signing key. Without `mayCreate`, the operator has to provide the file. */
export interface SigningKeyFile {
  readonly path: string;
  readonly mayCreate: boolean;
}

/** Journal files of validators. A start reads all, including those of more validators before. */
export const VALIDATOR_JOURNALS: readonly string[] = Array.from(
  { length: MAX_ADMISSION_THREADS },
  (_, index) => `validation-${index}.journal`,
);

/** Paths in the data directory. */
export interface NodeFiles {
  readonly folder: string;
  readonly chainDatabase: string;
  readonly mempoolDatabase: string;
  /** Store of compiled classes. */
  readonly compiledDatabase: string;
  /** Values that the origin of a fork returned. */
  readonly forkDatabase: string;
  /** Lists of the explorer. */
  readonly explorerDatabase: string;
  /** Journal of the transaction being executed. */
  readonly executionJournal: string;
  /** Journal of the block being committed. */
  readonly commitJournal: string;
  /** Journal of the submission being validated. */
  readonly validationJournal: string;
  readonly validatorJournals: readonly string[];
  /** Written to probe whether the disk completes writes; its content is meaningless. */
  readonly diskProbe: string;
  readonly signingKey: SigningKeyFile;
}

/**
 * Returns the layout of a data directory.
 *
 * @param privateKeyFile - the operator's file with the block-signing key; `null` to use the data directory's
 */
export function nodeFiles(basePath: string, privateKeyFile: string | null): NodeFiles {
  return {
    folder: basePath,
    chainDatabase: join(basePath, "chain.db"),
    mempoolDatabase: join(basePath, "mempool.db"),
    compiledDatabase: join(basePath, "compiled.db"),
    forkDatabase: join(basePath, "fork.db"),
    explorerDatabase: join(basePath, "explorer.db"),
    executionJournal: join(basePath, "execution.journal"),
    commitJournal: join(basePath, "commit.journal"),
    validationJournal: join(basePath, "validation.journal"),
    validatorJournals: VALIDATOR_JOURNALS.map((name) => join(basePath, name)),
    diskProbe: join(basePath, "disk.probe"),
    signingKey:
      privateKeyFile === null
        ? { path: join(basePath, "block-signing.key"), mayCreate: true }
        : { path: privateKeyFile, mayCreate: false },
  };
}
