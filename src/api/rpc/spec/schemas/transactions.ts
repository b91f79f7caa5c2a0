import { named, type Schema } from "#base/codec/index.ts";
import { FELT, FELTS, type Members, oneOf, record, texts, U128, U64 } from "./common.ts";

/** Differences between versions in their transactions. */
export interface TransactionParts {
  /** Resources in the bounds of a version 3 transaction. */
  readonly resources: readonly string[];
  /** Members of a version 3 invoke that are present only on request. */
  readonly onRequest: Members;
}

/** Transaction schema: its name, required members and optional members. */
type Shape = readonly [name: string, required: Members, optional: Members];

const BOUND: Schema = named(
  "RESOURCE_BOUNDS",
  record({ max_amount: U64, max_price_per_unit: U128 }),
);
const DA_MODE = texts("L1", "L2");
const SIGNED: Members = { signature: FELTS };
const WITH_FEE: Members = { ...SIGNED, max_fee: FELT };
const DEPLOYMENT: Members = {
  class_hash: FELT,
  contract_address_salt: FELT,
  constructor_calldata: FELTS,
};
const CALL: Members = { contract_address: FELT, entry_point_selector: FELT, calldata: FELTS };

function shapes({ resources, onRequest }: TransactionParts): readonly Shape[] {
  const bounds = record(Object.fromEntries(resources.map((name) => [name, BOUND])));
  const v3: Members = {
    ...SIGNED,
    nonce: FELT,
    resource_bounds: named("RESOURCE_BOUNDS_MAPPING", bounds),
    tip: U64,
    paymaster_data: FELTS,
    nonce_data_availability_mode: DA_MODE,
    fee_data_availability_mode: DA_MODE,
  };
  const sent = { sender_address: FELT };
  const declared = { ...sent, class_hash: FELT };
  const compiled = { compiled_class_hash: FELT };
  const ofAccount = { ...sent, calldata: FELTS };
  const deploying = { account_deployment_data: FELTS };
  const of = (
    name: string,
    type: string,
    version: string,
    members: Members,
    optional: Members = {},
  ): Shape => [name, { type: { const: type }, version: { const: version }, ...members }, optional];
  return [
    of("INVOKE_TXN_V0", "INVOKE", "0x0", { ...WITH_FEE, ...CALL }),
    of("INVOKE_TXN_V1", "INVOKE", "0x1", { ...WITH_FEE, nonce: FELT, ...ofAccount }),
    of("INVOKE_TXN_V3", "INVOKE", "0x3", { ...v3, ...ofAccount, ...deploying }, onRequest),
    of("DECLARE_TXN_V0", "DECLARE", "0x0", { ...WITH_FEE, ...declared }),
    of("DECLARE_TXN_V1", "DECLARE", "0x1", { ...WITH_FEE, nonce: FELT, ...declared }),
    of("DECLARE_TXN_V2", "DECLARE", "0x2", { ...WITH_FEE, nonce: FELT, ...declared, ...compiled }),
    of("DECLARE_TXN_V3", "DECLARE", "0x3", { ...v3, ...declared, ...compiled, ...deploying }),
    of("DEPLOY_ACCOUNT_TXN_V1", "DEPLOY_ACCOUNT", "0x1", {
      ...WITH_FEE,
      nonce: FELT,
      ...DEPLOYMENT,
    }),
    of("DEPLOY_ACCOUNT_TXN_V3", "DEPLOY_ACCOUNT", "0x3", { ...v3, ...DEPLOYMENT }),
    ["DEPLOY_TXN", { type: { const: "DEPLOY" }, version: texts("0x0", "0x1"), ...DEPLOYMENT }, {}],
    of("L1_HANDLER_TXN", "L1_HANDLER", "0x0", { nonce: FELT, ...CALL }),
  ];
}

/**
 * Creates the JSON schemas of TXN and TXN_WITH_HASH over all types and versions of transactions.
 */
export function transactionSchemas(parts: TransactionParts) {
  const all = shapes(parts);
  const withHash = ([name, required, optional]: Shape): Schema =>
    named(`${name}_WITH_HASH`, record({ ...required, transaction_hash: FELT }, optional));
  const alone = ([name, required, optional]: Shape): Schema =>
    named(name, record(required, optional));
  const any = (name: string, schemas: readonly Schema[]): Schema => named(name, oneOf(...schemas));
  return {
    transaction: any("TXN", all.map(alone)),
    transactionWithHash: any("TXN_WITH_HASH", all.map(withHash)),
  };
}
