import { array, felt, literal } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { FlushOutcome, MempoolSelection } from "#services/admission/index.ts";
import { optional } from "../../method.ts";
import { InvalidParamsError } from "../../decode-params.ts";
import { COUNT, record } from "../../spec/schemas/common.ts";
import { MAX_NAMED } from "../access.ts";
import { adminMethod } from "../admin-context.ts";

/** Parameters of which a request must contain exactly one: the scope of a flush has to be explicit. */
const BASES = ["all", "contract_address", "transaction_hashes"] as const;

/**
 * JSON-RPC method `appchain_flushMempool`: permanently drops waiting transactions: all, those of an
 * account, or named ones; `nonce_after` and `nonce_before` narrow each of these. Returns how many
 * were dropped, and how many stay because they are being executed.
 */
export const flushMempool = adminMethod({
  name: "appchain_flushMempool",
  family: "write",
  runsOn: "main",
  summary:
    "Permanently drops waiting transactions: all, those of an account, or named ones; `nonce_after` and `nonce_before` narrow each of these. Returns how many were dropped, and how many stay because they are being executed.",
  params: () => ({
    all: optional(literal(true), undefined),
    contract_address: optional(felt, undefined),
    transaction_hashes: optional(array(felt, { minLength: 1, maxLength: MAX_NAMED }), undefined),
    nonce_after: optional(felt, undefined),
    nonce_before: optional(felt, undefined),
  }),
  result:
    () =>
    ({ dropped, inFlight }: FlushOutcome) => ({ dropped, in_flight: inFlight }),
  answer: () => record({ dropped: COUNT, in_flight: COUNT }),
  errors: [],
  handler: (context, params) => context.admin.flushMempool(selectionOf(params)),
});

interface FlushParams {
  readonly all: true | undefined;
  readonly contract_address: Felt | undefined;
  readonly transaction_hashes: readonly Felt[] | undefined;
  readonly nonce_after: Felt | undefined;
  readonly nonce_before: Felt | undefined;
}

/** @throws {InvalidParamsError} unless exactly one parameter selects the transactions to flush */
function selectionOf(params: FlushParams): MempoolSelection {
  const present = BASES.filter((name) => params[name] !== undefined);
  if (present.length !== 1) {
    const got = present.length === 0 ? "none of them" : present.join(" and ");
    throw new InvalidParamsError(present[1] ?? BASES[0], `one of ${BASES.join(", ")}`, got);
  }
  const { contract_address: sender, transaction_hashes: hashes } = params;
  const { nonce_after: nonceAfter, nonce_before: nonceBefore } = params;
  return {
    ...(sender === undefined ? {} : { sender }),
    ...(hashes === undefined ? {} : { hashes }),
    ...(nonceAfter === undefined ? {} : { nonceAfter }),
    ...(nonceBefore === undefined ? {} : { nonceBefore }),
  };
}
