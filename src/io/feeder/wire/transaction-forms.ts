import type { Codec } from "#base/codec/index.ts";
import type { Transaction } from "#protocol/chain/index.ts";
import { field, type Fields, members, omittedField } from "./members.ts";
import { felt } from "./numbers.ts";
import {
  CALL,
  CALLDATA,
  CONTRACT,
  DECLARE_V3,
  DEPLOYED_SENDER,
  DEPLOYMENT,
  INVOKE_V3,
  kind,
  MAX_FEE,
  MESSAGE_NONCE,
  SENDER,
  SIGNED_V1,
  SIGNED_V3,
} from "./transaction-fields.ts";

type Of<T extends Transaction["type"], V extends Transaction["version"]> = Extract<
  Transaction,
  { readonly type: T; readonly version: V }
>;

function form<T extends Transaction>(fields: Fields<T>): Codec<Transaction> {
  return members<T>("transaction", fields) as Codec<Transaction>;
}

const INVOKE = "INVOKE_FUNCTION";
const classHash = field("class_hash", felt);
const compiledClassHash = field("compiled_class_hash", felt);

/** Codecs of all transactions that a block can contain, by type and version: `INVOKE 3`. */
export const TRANSACTION_FORMS = {
  "INVOKE 0": form<Of<"INVOKE", 0>>({
    ...kind("INVOKE", 0, INVOKE),
    ...MAX_FEE,
    ...CALL,
    ...CONTRACT,
  }),
  "INVOKE 1": form<Of<"INVOKE", 1>>({
    ...kind("INVOKE", 1, INVOKE),
    ...SIGNED_V1,
    ...SENDER,
    ...CALLDATA,
  }),
  "INVOKE 3": form<Of<"INVOKE", 3>>({
    ...kind("INVOKE", 3, INVOKE),
    ...SIGNED_V3,
    ...INVOKE_V3,
  }),
  "DECLARE 0": form<Of<"DECLARE", 0>>({
    ...kind("DECLARE", 0),
    ...MAX_FEE,
    ...SENDER,
    classHash,
  }),
  "DECLARE 1": form<Of<"DECLARE", 1>>({
    ...kind("DECLARE", 1),
    ...SIGNED_V1,
    ...SENDER,
    classHash,
  }),
  "DECLARE 2": form<Of<"DECLARE", 2>>({
    ...kind("DECLARE", 2),
    ...SIGNED_V1,
    ...SENDER,
    classHash,
    compiledClassHash,
  }),
  "DECLARE 3": form<Of<"DECLARE", 3>>({
    ...kind("DECLARE", 3),
    ...SIGNED_V3,
    ...DECLARE_V3,
    classHash,
  }),
  "DEPLOY_ACCOUNT 1": form<Of<"DEPLOY_ACCOUNT", 1>>({
    ...kind("DEPLOY_ACCOUNT", 1),
    ...SIGNED_V1,
    ...CONTRACT,
    ...DEPLOYMENT,
  }),
  "DEPLOY_ACCOUNT 3": form<Of<"DEPLOY_ACCOUNT", 3>>({
    ...kind("DEPLOY_ACCOUNT", 3),
    ...SIGNED_V3,
    ...DEPLOYED_SENDER,
    ...DEPLOYMENT,
  }),
  "DEPLOY 0": deployForm(0),
  "DEPLOY 1": deployForm(1),
  "L1_HANDLER 0": form<Of<"L1_HANDLER", 0>>({
    ...kind("L1_HANDLER", 0),
    ...MESSAGE_NONCE,
    ...CONTRACT,
    ...CALL,
    paidFeeOnL1: omittedField<bigint | null>(null),
  }),
} as const satisfies Readonly<Record<string, Codec<Transaction>>>;

type DeployLegacy = Extract<Transaction, { readonly type: "DEPLOY" }>;

function deployForm(version: 0 | 1): Codec<Transaction> {
  return form<DeployLegacy>({ ...kind("DEPLOY", version), ...CONTRACT, ...DEPLOYMENT });
}
