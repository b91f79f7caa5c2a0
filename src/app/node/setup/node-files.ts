import { join } from "node:path";
import { MAX_ADMISSION_THREADS } from "#protocol/config/index.ts";

/** Where the key is. `mayCreate`: a missing file is made; otherwise it is the operator's to provide. */
export interface SigningKeyFile {
  readonly path: string;
  readonly mayCreate: boolean;
}

/** Names of the validators' journals; a node with fewer validators than at its last start reads all. */
export const VALIDATOR_JOURNALS: readonly string[] = Array.from(
  { length: MAX_ADMISSION_THREADS },
  (_, index) => `validation-${index}.journal`,
);

/** Paths below the data directory. */
export interface NodeFiles {
  readonly folder: string;
  readonly chainDatabase: string;
  readonly mempoolDatabase: string;
  /** Classes that were compiled. */
  readonly compiledDatabase: string;
  /** Which transaction is being executed. */
  readonly executionJournal: string;
  /** Which block is being committed. */
  readonly commitJournal: string;
  /** Which submission is being validated. */
  readonly validationJournal: string;
  /** The same of each validator. */
  readonly validatorJournals: readonly string[];
  /** Written to try whether the disk completes writes; its content means nothing. */
  readonly diskProbe: string;
  readonly signingKey: SigningKeyFile;
}

/**
 * Layout of a data directory.
 *
 * @param privateKeyFile - the operator's own file with the block-signing key
 */
export function nodeFiles(basePath: string, privateKeyFile: string | null): NodeFiles {
  return {
    folder: basePath,
    chainDatabase: join(basePath, "chain.db"),
    mempoolDatabase: join(basePath, "mempool.db"),
    compiledDatabase: join(basePath, "compiled.db"),
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
