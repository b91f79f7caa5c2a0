import type { StateReader } from "#engine/state/index.ts";
import type { WriteOrder } from "./control-handler.ts";
import type { ControlOutcome } from "./control-messages.ts";
import { changeRefusal, NO_CHANGE, type StateChange } from "./state-change.ts";
import { balanceWrites, type CallOn } from "./token-balance.ts";

/** Outcome of a developer's order to change the state that is refused: nothing is changed. */
export type RefusedChange = Extract<ControlOutcome, { readonly kind: "refused" }>;

/**
 * Returns the change that an order makes to a state, or why it makes none.
 *
 * @param call - calls contracts on a state
 * @throws {OriginError} when a value of the fork's origin is missing
 */
export function changeOf(
  order: WriteOrder,
  state: StateReader,
  call: CallOn,
): StateChange | RefusedChange {
  switch (order.kind) {
    case "writeStorage": {
      const { contractAddress, key, value } = order;
      return { ...NO_CHANGE, storage: [{ contractAddress, key, value }] };
    }
    case "changeState": {
      const refusal = changeRefusal(state, order.change);
      if (refusal === undefined) return order.change;
      const { reason, code, at } = refusal;
      return { kind: "refused", reason, fault: { code, at } };
    }
    case "setBalance": {
      const found = balanceWrites(order, state, call);
      return found.kind === "refused" ? found : { ...NO_CHANGE, storage: found.writes };
    }
  }
}
