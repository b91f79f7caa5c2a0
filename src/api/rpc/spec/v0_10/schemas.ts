import { named, type Schema } from "#base/codec/index.ts";
import { type AnswerParts, type AnswerSchemas, answerSchemas } from "../schemas/answers.ts";
import { COMMITMENT_MEMBERS, INFO_MEMBERS, SEALING_MEMBERS } from "../schemas/blocks.ts";
import {
  byOutcome,
  COUNT,
  FELT,
  FELTS,
  type Members,
  oneOf,
  record,
  U128,
  U64,
  UNIT,
} from "../schemas/common.ts";
import { GAS, statusSchema } from "../schemas/receipts.ts";
import {
  CHANGE_MEMBERS,
  eventsPageSchema,
  INITIAL_READS,
  MIGRATION_MEMBERS,
  STORAGE_WITH_BLOCK,
} from "../schemas/state.ts";

const FINALITY = ["PRE_CONFIRMED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"] as const;

const ESTIMATE_MEMBERS: Members = {
  l1_gas_consumed: U64,
  l1_gas_price: U128,
  l2_gas_consumed: U64,
  l2_gas_price: U128,
  l1_data_gas_consumed: U64,
  l1_data_gas_price: U128,
  overall_fee: U128,
  unit: UNIT,
};

const ESTIMATE: Schema = named("FEE_ESTIMATE", record(ESTIMATE_MEMBERS));

/** Parts of {@link SCHEMAS}; older versions override some of them. */
export const PARTS: AnswerParts = {
  head: {
    sealed: { ...SEALING_MEMBERS, ...INFO_MEMBERS, ...COMMITMENT_MEMBERS },
    building: INFO_MEMBERS,
    buildingName: "PRE_CONFIRMED",
  },
  transactions: {
    resources: ["l1_gas", "l1_data_gas", "l2_gas"],
    onRequest: { proof_facts: FELTS },
  },
  receipts: {
    finality: FINALITY,
    resources: GAS,
    place: { required: { block_number: COUNT }, optional: { block_hash: FELT } },
  },
  traces: {
    stateDiff: named("STATE_DIFF", record({ ...CHANGE_MEMBERS, ...MIGRATION_MEMBERS })),
    callMembers: {
      execution_resources: record({ l1_gas: COUNT, l2_gas: COUNT }),
      is_reverted: { type: "boolean" },
    },
    resources: GAS,
    estimate: ESTIMATE,
    showsRevertedHandler: true,
    initialReads: INITIAL_READS,
  },
  knowsOldRoot: false,
  transactionStatus: statusSchema(["RECEIVED", "CANDIDATE"], FINALITY),
  messageStatus: byOutcome(
    { transaction_hash: FELT, finality_status: { enum: FINALITY } },
    "failure_reason",
  ),
  eventsPage: eventsPageSchema(
    { block_number: COUNT, transaction_index: COUNT, event_index: COUNT },
    { block_hash: FELT },
  ),
  messageFee: ESTIMATE,
  storage: oneOf(FELT, STORAGE_WITH_BLOCK),
};

/** JSON schemas of the results in JSON-RPC 0.10, by encoder. */
export const SCHEMAS: AnswerSchemas = answerSchemas(PARTS);
