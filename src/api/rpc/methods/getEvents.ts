import { PAGE_LIMITS } from "../events/limits.ts";
import { eventsPage } from "../events/page.ts";
import { method, required } from "../method.ts";

/** JSON-RPC method `starknet_getEvents`: events that match a filter, in pages. */
export const getEvents = method({
  name: "getEvents",
  family: "read",
  runsOn: "query",
  summary: "Events that match a filter, in pages.",
  params: (spec) => ({ filter: required(spec.eventFilter) }),
  result: (spec) => spec.eventsPage,
  answer: (spec) => spec.schemas.eventsPage,
  errors: [
    "PAGE_SIZE_TOO_BIG",
    "INVALID_CONTINUATION_TOKEN",
    "BLOCK_NOT_FOUND",
    "TOO_MANY_KEYS_IN_FILTER",
  ],
  handler: (context, { filter }, fail) => eventsPage(context, filter, fail, PAGE_LIMITS),
});
