import { encodeHashed } from "../v0_10/transaction.ts";
import { SPEC_0_8_1 } from "../v0_8/index.ts";
import type { SpecVersion } from "../version.ts";
import { BLOCK_ENCODERS } from "./block.ts";
import { broadcastedDecoders } from "../v0_10/broadcasted.ts";
import { resourceBounds } from "./bounds.ts";
import { encodeError } from "./errors.ts";
import { encodeEstimate } from "./fee-estimate.ts";
import { encodeReceiptAnswer } from "./receipt.ts";
import { SCHEMAS } from "./schemas.ts";
import { encodeTransactionStatus } from "./status.ts";
import { TRACE_ENCODERS } from "./trace.ts";
import { encodeTransaction } from "./transaction.ts";

/** Version 0.7.1 (starkware-libs/starknet-specs, api/*.json at v0.7.1). */
export const SPEC_0_7_1: SpecVersion = {
  ...SPEC_0_8_1,
  version: "0.7.1",

  ...broadcastedDecoders(resourceBounds),

  ...BLOCK_ENCODERS,
  ...TRACE_ENCODERS,
  transaction: ({ transaction, options }) => encodeHashed(encodeTransaction, transaction, options),
  receipt: encodeReceiptAnswer,
  transactionStatus: encodeTransactionStatus,
  feeEstimates: (estimates) => estimates.map(encodeEstimate),

  schemas: SCHEMAS,

  subscriptions: undefined,

  error: encodeError,
};
