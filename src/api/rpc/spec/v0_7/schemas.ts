import { named, type Schema, type SchemaKeywords } from "#base/codec/index.ts";
import { type AnswerParts, type AnswerSchemas, answerSchemas } from "../schemas/answers.ts";
import { INFO_MEMBERS, SEALING_MEMBERS } from "../schemas/blocks.ts";
import {
  COUNT,
  FELT,
  type Members,
  oneOf,
  record,
  texts,
  UNIT,
  without,
} from "../schemas/common.ts";
import { pendingMembers, PARTS as NEWER } from "../v0_8/schemas.ts";
import { COMPUTATION_MEMBERS } from "./computation.ts";

const USED = { type: "integer", minimum: 1 } as const;

const OPTIONAL: Members = Object.fromEntries(COMPUTATION_MEMBERS.map((name) => [name, USED]));

/** EXECUTION_RESOURCES: Cairo VM resources and data availability gas. */
function resources(steps: Schema): SchemaKeywords {
  const dataAvailability = record({ l1_gas: COUNT, l1_data_gas: COUNT });
  return record({ steps, data_availability: dataAvailability }, OPTIONAL);
}

const INFO: Members = without(INFO_MEMBERS, "l2_gas_price");

const ESTIMATE: Schema = named(
  "FEE_ESTIMATE",
  record({
    gas_consumed: FELT,
    gas_price: FELT,
    data_gas_consumed: FELT,
    data_gas_price: FELT,
    overall_fee: FELT,
    unit: UNIT,
  }),
);

const PARTS: AnswerParts = {
  ...NEWER,
  head: {
    ...NEWER.head,
    sealed: { ...SEALING_MEMBERS, ...INFO },
    building: pendingMembers(INFO),
  },
  transactions: { resources: ["l1_gas", "l2_gas"], onRequest: {} },
  receipts: { ...NEWER.receipts, resources: named("EXECUTION_RESOURCES", resources(COUNT)) },
  traces: {
    ...NEWER.traces,
    callMembers: {
      execution_resources: named("COMPUTATION_RESOURCES", record({ steps: USED }, OPTIONAL)),
    },
    resources: named("TRACED_RESOURCES", resources(USED)),
    estimate: ESTIMATE,
  },
  messageFee: ESTIMATE,
  transactionStatus: oneOf(
    record({ finality_status: texts("RECEIVED", "REJECTED") }),
    record({
      finality_status: texts("ACCEPTED_ON_L2", "ACCEPTED_ON_L1"),
      execution_status: texts("SUCCEEDED", "REVERTED"),
    }),
  ),
};

/** JSON schemas of the results in JSON-RPC 0.7, by encoder. */
export const SCHEMAS: AnswerSchemas = answerSchemas(PARTS);
