import type { SubscriptionSpec } from "../subscriptions.ts";
import { oneAddress } from "../v0_10/event-filter.ts";
import { encodeEmitted } from "../v0_10/events.ts";
import { eventsForm, newHeadsForm, SHARED_FORMS, SUBSCRIPTIONS as NEWER } from "../v0_10/ws.ts";
import { BLOCK_ENCODERS } from "./block.ts";

/** Subscriptions of version 0.9.0: one emitter, no tags, and events without positions. */
export const SUBSCRIPTIONS: SubscriptionSpec = {
  ...NEWER,
  fromAddress: oneAddress,
  tags: undefined,
  notifiedOfReorgs: new Set(["newHeads", "events", "transactionStatus"]),
  forms: {
    ...SHARED_FORMS,
    transactionsWithProofFacts: undefined,
    newHeads: newHeadsForm(BLOCK_ENCODERS),
    events: eventsForm(({ emitted, finality }) => ({
      ...encodeEmitted(emitted),
      finality_status: finality,
    })),
  },
};
