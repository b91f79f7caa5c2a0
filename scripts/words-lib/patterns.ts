/** Class of a pattern: `never` has no good use, `doubtful` has a few. */
export type PatternClass = "never" | "doubtful";

/** A phrase that makes prose hard to read. */
export interface Pattern {
  readonly kind: PatternClass;
  /** Words of the phrase; `...` means one to four words, a slash separates alternatives. */
  readonly phrase: string;
  /** What to write instead. */
  readonly write: string;
}

const never = (phrase: string, write: string): Pattern => ({ kind: "never", phrase, write });
const doubtful = (phrase: string, write: string): Pattern => ({ kind: "doubtful", phrase, write });

const TOLD = 'the subject and a verb: "X notifies Y", "receives", "is reported"';
const ASKED = '"requests X", "receives a request", "queries"';
const SAID = 'the fact itself, or "is stated in", "documents", "reports"';
const NONE = '"X is empty", "`undefined` if none", "omitted when empty"';

/** Every pattern that the check looks for. */
export const PATTERNS: readonly Pattern[] = [
  never("is/are/was/were/be/been/being told", TOLD),
  never("told of/about", TOLD),
  never("is/are/was/were/be/been/being asked", ASKED),
  never("who asks", '"the client", "the caller", "the requester"'),
  never("what is/was said", SAID),
  never("is/are/was/were said", SAID),
  never("whoever", '"the caller", "the client", "anyone who"'),
  never("there is/are/was/were none", NONE),
  never("not any more", '"no longer"'),
  never("any more", '"no longer", "another", "further"'),
  never("anew", '"again", "from the start"'),
  never("what waits/wait", '"pending requests", "queued items"'),
  never("what became of", '"the outcome of", "the status of"'),
  never("that is/are on its/their way", '"in flight", "pending"'),
  never("on its/their way", '"in flight", "pending"'),
  never("taken back", '"reverted", "undone", "withdrawn"'),
  never("left out", '"omitted", "skipped"'),
  never("leaves/leave/leaving out", '"omits", "skips"'),
  never("handed on", '"forwarded", "passed to"'),
  never("hands/hand/handing on", '"forwards", "passes to"'),
  never("most that", '"maximum"'),
  never("as far as that needs", '"if needed for this"'),
  never("for good", '"permanently"'),
  never("dear", '"expensive"'),
  never("how far ... is/are/has", '"progress of X"'),
  doubtful("at once", '"immediately" or "concurrently"'),
  doubtful("beside", '"next to", "in parallel with", "in addition to"'),
  doubtful("stands/stand", '"is", "is stored", "is defined"'),
  doubtful("lies/lie", '"is", "is stored"'),
  doubtful("comes/come to", '"reaches", "happens", or the verb itself'),
  doubtful("goes/go on", '"continues"'),
  doubtful("ends/end it", '"cancels", "closes", "stops"'),
  doubtful("begins/begin with", '"starts with", "the first X is"'),
  doubtful("of its/their own", '"separate", "dedicated", or nothing'),
  doubtful("tells/tell", '"reports", "notifies", "distinguishes"'),
  doubtful("is/are there", '"exists", "is present"'),
];
