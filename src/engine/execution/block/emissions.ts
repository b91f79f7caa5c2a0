import type { Event, MessageToL1 } from "#protocol/chain/index.ts";
import { type CallInfo, visitCalls } from "../call/info.ts";

/** Calls that the protocol makes for a transaction; `null` if not made. */
export interface TransactionCalls {
  readonly validate: CallInfo | null;
  /** For DEPLOY_ACCOUNT: the constructor call. */
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
}

/** Calls of a transaction in execution order. */
export function callsInOrder(
  isDeployAccount: boolean,
  { validate, execute, feeTransfer }: TransactionCalls,
): CallInfo[] {
  const order = isDeployAccount
    ? [execute, validate, feeTransfer]
    : [validate, execute, feeTransfer];
  return order.filter((call) => call !== null);
}

/** Events of call trees in emission order, phase by phase. */
export function emittedEvents(calls: readonly CallInfo[]): Event[] {
  return inOrder(
    calls,
    ({ events }) => events,
    (fromAddress, { keys, data }) => ({ fromAddress, keys, data }),
  );
}

/** Messages of call trees in sending order, phase by phase. */
export function sentMessages(calls: readonly CallInfo[]): MessageToL1[] {
  return inOrder(
    calls,
    ({ messages }) => messages,
    (fromAddress, { toAddress, payload }) => ({ fromAddress, toAddress, payload }),
  );
}

/** Items emitted by the calls of each tree, ordered by the phase's counter. */
function inOrder<Emission extends { readonly order: number }, Shown>(
  calls: readonly CallInfo[],
  emissionsOf: (call: CallInfo) => readonly Emission[],
  format: (contractAddress: CallInfo["contractAddress"], emission: Emission) => Shown,
): Shown[] {
  return calls.flatMap((root) => {
    const found: { order: number; item: Shown }[] = [];
    visitCalls(root, (call) => {
      for (const emission of emissionsOf(call)) {
        found.push({ order: emission.order, item: format(call.contractAddress, emission) });
      }
    });
    return found.sort((a, b) => a.order - b.order).map(({ item }) => item);
  });
}
