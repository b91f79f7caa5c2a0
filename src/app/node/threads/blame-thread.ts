import type { NodeError } from "#base/errors/index.ts";
import { blameForCrash } from "#services/admission/index.ts";
import type { NodeFiles } from "../setup/node-files.ts";
import type { ThreadName } from "./protocol.ts";

/**
 * Records a dead thread's error in its journal, so that the next start blames the work in progress. Query
 * threads have no journal: their work is not retried.
 */
export function blameThread(
  files: Pick<
    NodeFiles,
    "executionJournal" | "commitJournal" | "validationJournal" | "validatorJournals"
  >,
  thread: ThreadName,
  error: NodeError,
): void {
  if (thread === "executor") blameForCrash(files.executionJournal, error);
  if (thread === "committer") blameForCrash(files.commitJournal, error);
  if (thread === "admission") blameForCrash(files.validationJournal, error);
  const validator = files.validatorJournals.find((_, i) => thread === `validator-${i}`);
  if (validator !== undefined) blameForCrash(validator, error);
}
