import { named } from "#base/codec/index.ts";
import { type AnswerParts, type AnswerSchemas, answerSchemas } from "../schemas/answers.ts";
import { INFO_MEMBERS, SEALING_MEMBERS } from "../schemas/blocks.ts";
import { COUNT, FELT, record } from "../schemas/common.ts";
import { CHANGE_MEMBERS, eventsPageSchema } from "../schemas/state.ts";
import { PARTS as NEWER } from "../v0_10/schemas.ts";

const { initialReads: _, ...traces } = NEWER.traces;

/** What {@link SCHEMAS} are made of; older versions change parts of it. */
export const PARTS: AnswerParts = {
  ...NEWER,
  head: { ...NEWER.head, sealed: { ...SEALING_MEMBERS, ...INFO_MEMBERS } },
  transactions: { ...NEWER.transactions, askedFor: {} },
  traces: { ...traces, stateDiff: named("STATE_DIFF", record(CHANGE_MEMBERS)) },
  knowsOldRoot: true,
  eventsPage: eventsPageSchema({ block_number: COUNT }, { block_hash: FELT }),
  storage: FELT,
};

/** What the answers of this version look like. */
export const SCHEMAS: AnswerSchemas = answerSchemas(PARTS);
