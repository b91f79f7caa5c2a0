import { named, type Schema, type SchemaKeywords } from "#base/codec/index.ts";
import {
  byOutcome,
  COUNT,
  FELT,
  FELTS,
  list,
  type Members,
  NUMBER_HEX,
  oneOf,
  record,
  TEXT,
  texts,
  UNIT,
} from "./common.ts";

/** Differences between versions in their receipts. */
export interface ReceiptShape {
  /** TXN_FINALITY_STATUS. */
  readonly finality: readonly string[];
  /** EXECUTION_RESOURCES. */
  readonly resources: Schema;
  /** Number and hash of the block; `optional` ones may be absent while it is being built. */
  readonly place: { readonly required: Members; readonly optional: Members };
}

/** JSON schemas of the members of MSG_TO_L1. */
export const MESSAGE_MEMBERS: Members = { from_address: FELT, to_address: FELT, payload: FELTS };

/** JSON schemas of the members of EVENT_CONTENT. */
export const EVENT_MEMBERS: Members = { keys: FELTS, data: FELTS };

/** JSON schema of EXECUTION_RESOURCES: gas of each kind. */
export const GAS: Schema = named(
  "EXECUTION_RESOURCES",
  record({ l1_gas: COUNT, l1_data_gas: COUNT, l2_gas: COUNT }),
);

const MESSAGE: Schema = named("MSG_TO_L1", record(MESSAGE_MEMBERS));
const EVENT: Schema = named("EVENT", record({ from_address: FELT, ...EVENT_MEMBERS }));

/** Members of a receipt by transaction type. */
const OF_TYPE: Readonly<Record<string, Members>> = {
  INVOKE: {},
  DECLARE: {},
  DEPLOY: { contract_address: FELT },
  DEPLOY_ACCOUNT: { contract_address: FELT },
  L1_HANDLER: { message_hash: NUMBER_HEX },
};

/** Creates the JSON schemas of TXN_RECEIPT and TXN_RECEIPT_WITH_BLOCK_INFO for a version. */
export function receiptSchemas({ finality, resources, place }: ReceiptShape) {
  const common: Members = {
    transaction_hash: FELT,
    actual_fee: record({ amount: FELT, unit: UNIT }),
    finality_status: texts(...finality),
    messages_sent: list(MESSAGE),
    events: list(EVENT),
    execution_resources: resources,
  };
  const any = (name: string, more: Members, optional: Members): Schema =>
    named(
      name,
      oneOf(
        ...Object.entries(OF_TYPE).flatMap(([type, members]) =>
          outcomes({ type: { const: type }, ...common, ...members, ...more }, optional),
        ),
      ),
    );
  return {
    receipt: any("TXN_RECEIPT", {}, {}),
    receiptWithBlock: any("TXN_RECEIPT_WITH_BLOCK_INFO", place.required, place.optional),
  };
}

function outcomes(members: Members, optional: Members): readonly SchemaKeywords[] {
  const reverted = { execution_status: { const: "REVERTED" }, revert_reason: TEXT };
  return [
    record({ ...members, execution_status: { const: "SUCCEEDED" } }, optional),
    record({ ...members, ...reverted }, optional),
  ];
}

/**
 * JSON schema of TXN_STATUS_RESULT.
 *
 * @param waiting - statuses of a transaction that is in no block
 * @param executed - statuses of one that is in a block
 */
export function statusSchema(
  waiting: readonly string[],
  executed: readonly string[],
): SchemaKeywords {
  return oneOf(
    record({ finality_status: texts(...waiting) }),
    ...(byOutcome({ finality_status: texts(...executed) }, "failure_reason").oneOf ?? []),
  );
}
