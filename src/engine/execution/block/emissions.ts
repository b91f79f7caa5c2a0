import type { Event, MessageToL1 } from "#protocol/chain/index.ts";
import { type CallInfo, visitCalls } from "../call/info.ts";

/** The calls that the protocol makes for a transaction; `null` where there was none. */
export interface TransactionCalls {
  readonly validate: CallInfo | null;
  /** The constructor for DEPLOY_ACCOUNT. */
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
}

/** The calls of a transaction in the order in which they were made. */
export function callsInOrder(
  isDeployAccount: boolean,
  { validate, execute, feeTransfer }: TransactionCalls,
): CallInfo[] {
  const order = isDeployAccount
    ? [execute, validate, feeTransfer]
    : [validate, execute, feeTransfer];
  return order.filter((call) => call !== null);
}

/** Events of call trees in order of emission, phase after phase. */
export function emittedEvents(calls: readonly CallInfo[]): Event[] {
  return inOrder(
    calls,
    ({ events }) => events,
    (fromAddress, { keys, data }) => ({ fromAddress, keys, data }),
  );
}

/** Messages of call trees in order of sending, phase after phase. */
export function sentMessages(calls: readonly CallInfo[]): MessageToL1[] {
  return inOrder(
    calls,
    ({ messages }) => messages,
    (fromAddress, { toAddress, payload }) => ({ fromAddress, toAddress, payload }),
  );
}

/** What the calls of each tree left, in the order that its phase counted. */
function inOrder<Left extends { readonly order: number }, Shown>(
  calls: readonly CallInfo[],
  leftBy: (call: CallInfo) => readonly Left[],
  shown: (contractAddress: CallInfo["contractAddress"], left: Left) => Shown,
): Shown[] {
  return calls.flatMap((root) => {
    const found: { order: number; item: Shown }[] = [];
    visitCalls(root, (call) => {
      for (const left of leftBy(call)) {
        found.push({ order: left.order, item: shown(call.contractAddress, left) });
      }
    });
    return found.sort((a, b) => a.order - b.order).map(({ item }) => item);
  });
}
