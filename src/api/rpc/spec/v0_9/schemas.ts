import { named } from "#base/codec/index.ts";
import { type AnswerParts, type AnswerSchemas, answerSchemas } from "../schemas/answers.ts";
import { INFO_MEMBERS, SEALING_MEMBERS } from "../schemas/blocks.ts";
import { COUNT, FELT, record } from "../schemas/common.ts";
import { CHANGE_MEMBERS, eventsPageSchema } from "../schemas/state.ts";
import { PARTS as NEWER } from "../v0_10/schemas.ts";

const { initialReads: _, ...traces } = NEWER.traces;

/** Parts of {@link SCHEMAS}: those of 0.10 except where 0.9 differs; older versions override some of them. */
export const PARTS: AnswerParts = {
  ...NEWER,
  head: { ...NEWER.head, sealed: { ...SEALING_MEMBERS, ...INFO_MEMBERS } },
  transactions: { ...NEWER.transactions, onRequest: {} },
  traces: { ...traces, stateDiff: named("STATE_DIFF", record(CHANGE_MEMBERS)) },
  knowsOldRoot: true,
  eventsPage: eventsPageSchema({ block_number: COUNT }, { block_hash: FELT }),
  storage: FELT,
};

/** JSON schemas of the results in JSON-RPC 0.9, by encoder. */
export const SCHEMAS: AnswerSchemas = answerSchemas(PARTS);
