import type { NodeError } from "#base/errors/index.ts";
import { blameForCrash } from "#services/admission/index.ts";
import type { NodeFiles } from "../setup/node-files.ts";
import type { ThreadName } from "./protocol.ts";

/**
 * Notes in a dead thread's journal what it died of: the next start blames what it was working on. Query
 * threads have no journal: what they work on is not tried again.
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
