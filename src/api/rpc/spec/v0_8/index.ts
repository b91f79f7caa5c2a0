import { eventFilterOf, oneAddress } from "../v0_10/event-filter.ts";
import { SPEC_0_9_0 } from "../v0_9/index.ts";
import type { SpecVersion } from "../version.ts";
import { BLOCK_ENCODERS } from "./block.ts";
import { encodeError } from "./errors.ts";
import { encodeEventsPage } from "./events.ts";
import { blockId, provenBlockId } from "./ids.ts";
import { encodeReceiptAnswer } from "./receipt.ts";
import { SCHEMAS } from "./schemas.ts";
import { encodeMessageStatuses, encodeTransactionStatus } from "./status.ts";
import { TRACE_ENCODERS } from "./trace.ts";
import { SUBSCRIPTIONS } from "./ws.ts";

/**
 * Version 0.8.1 (starkware-libs/starknet-specs, api/*.json at v0.8.1). Those files still name their version
 * 0.8.0; clients request the release.
 */
export const SPEC_0_8_1: SpecVersion = {
  ...SPEC_0_9_0,
  version: "0.8.1",

  blockId,
  sealedBlockId: blockId,
  provenBlockId,
  eventFilter: eventFilterOf(blockId, oneAddress),

  ...BLOCK_ENCODERS,
  ...TRACE_ENCODERS,
  receipt: encodeReceiptAnswer,
  transactionStatus: encodeTransactionStatus,
  messageStatuses: encodeMessageStatuses,
  eventsPage: encodeEventsPage,

  schemas: SCHEMAS,

  subscriptions: SUBSCRIPTIONS,

  error: encodeError,
};
