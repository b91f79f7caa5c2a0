import { oneAddress, eventFilterOf } from "../v0_10/event-filter.ts";
import { blockId } from "../v0_10/ids.ts";
import { SPEC_0_10_2 } from "../v0_10/index.ts";
import type { SpecVersion } from "../version.ts";
import { BLOCK_ENCODERS } from "./block.ts";
import { encodeError } from "./errors.ts";
import { encodeEventsPage } from "./events.ts";
import { simulationFlags } from "./flags.ts";
import { SCHEMAS } from "./schemas.ts";
import { encodeStateUpdate } from "./state-update.ts";
import { TRACE_ENCODERS } from "./trace.ts";
import { SUBSCRIPTIONS } from "./ws.ts";

/** Version 0.9.0 (starkware-libs/starknet-specs, api/*.json at v0.9.0). */
export const SPEC_0_9_0: SpecVersion = {
  ...SPEC_0_10_2,
  version: "0.9.0",

  eventFilter: eventFilterOf(blockId, oneAddress),
  updatedContracts: undefined,
  transactionFlags: undefined,
  storageFlags: undefined,
  simulationFlags,
  traceFlags: undefined,

  ...BLOCK_ENCODERS,
  ...TRACE_ENCODERS,
  stateUpdate: encodeStateUpdate,
  eventsPage: encodeEventsPage,

  schemas: SCHEMAS,

  subscriptions: SUBSCRIPTIONS,

  error: encodeError,
};
