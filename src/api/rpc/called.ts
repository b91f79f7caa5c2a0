import type { CallOutcome } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Fail } from "./errors.ts";
import { stopped } from "./stopped.ts";

/**
 * Returns the result of a call.
 *
 * @throws {RpcFault} CONTRACT_NOT_FOUND, ENTRYPOINT_NOT_FOUND, CONTRACT_ERROR, as `fail` creates them
 * @throws {NotServedError} when the call took too long
 */
export function calledOrFail(
  outcome: CallOutcome,
  fail: Fail<"CONTRACT_NOT_FOUND" | "ENTRYPOINT_NOT_FOUND" | "CONTRACT_ERROR">,
): readonly Felt[] {
  switch (outcome.kind) {
    case "ok":
      return outcome.retdata;
    case "contract_not_found":
      return fail("CONTRACT_NOT_FOUND");
    case "entry_point_not_found":
      return fail("ENTRYPOINT_NOT_FOUND");
    case "failed":
      return fail("CONTRACT_ERROR", { failure: outcome.failure });
    case "cancelled":
      return stopped();
  }
}
