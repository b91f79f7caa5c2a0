import type { MempoolListing } from "#services/admission/index.ts";
import { method } from "../method.ts";
import { COUNT, record } from "../spec/schemas/common.ts";

/**
 * JSON-RPC method `txpool_status`: numbers of received transactions in the form of Katana:
 * executable ones, and those that wait for a nonce. Served for every version of the specification,
 * and part of none. Source: dojoengine/katana, crates/rpc/rpc-types/src/txpool.rs.
 */
export const txpoolStatus = method({
  name: "txpool_status",
  family: "read",
  runsOn: "main",
  summary:
    "Numbers of received transactions in the form of Katana: executable ones, and those that wait for a nonce.",
  params: () => ({}),
  result:
    () =>
    ({ waiting, ahead, inFlight }: MempoolListing) => ({
      pending: waiting - ahead + inFlight,
      queued: ahead,
    }),
  answer: () => record({ pending: COUNT, queued: COUNT }),
  errors: [],
  handler: (context) => context.waiting(0),
});
