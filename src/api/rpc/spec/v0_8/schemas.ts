import { type AnswerParts, type AnswerSchemas, answerSchemas } from "../schemas/answers.ts";
import { INFO_MEMBERS } from "../schemas/blocks.ts";
import {
  COUNT,
  FELT,
  type Members,
  oneOf,
  record,
  TEXT,
  texts,
  without,
} from "../schemas/common.ts";
import { statusSchema } from "../schemas/receipts.ts";
import { eventsPageSchema } from "../schemas/state.ts";
import { PARTS as NEWER } from "../v0_9/schemas.ts";

const FINALITY = ["ACCEPTED_ON_L2", "ACCEPTED_ON_L1"] as const;

/** Number and hash of a block, which the pending one does not have. */
const PLACE: Members = { block_hash: FELT, block_number: COUNT };

/**
 * Returns the JSON schemas of the members of PENDING_BLOCK, which has a parent and no number.
 *
 * @param info - members shared with sealed blocks
 */
export function pendingMembers(info: Members): Members {
  return { parent_hash: FELT, ...without(info, "block_number") };
}

/** Parts of {@link SCHEMAS}: those of 0.9 except where 0.8 differs; 0.7 overrides some of them. */
export const PARTS: AnswerParts = {
  ...NEWER,
  head: { ...NEWER.head, building: pendingMembers(INFO_MEMBERS), buildingName: "PENDING" },
  receipts: {
    ...NEWER.receipts,
    finality: FINALITY,
    place: { required: {}, optional: PLACE },
  },
  traces: { ...NEWER.traces, showsRevertedHandler: false },
  transactionStatus: oneOf(
    record({ finality_status: { const: "REJECTED" }, failure_reason: TEXT }),
    ...(statusSchema(["RECEIVED"], FINALITY).oneOf ?? []),
  ),
  messageStatus: record(
    { transaction_hash: FELT, finality_status: texts("RECEIVED", ...FINALITY) },
    { failure_reason: TEXT },
  ),
  eventsPage: eventsPageSchema({}, PLACE),
};

/** JSON schemas of the results in JSON-RPC 0.8, by encoder. */
export const SCHEMAS: AnswerSchemas = answerSchemas(PARTS);
