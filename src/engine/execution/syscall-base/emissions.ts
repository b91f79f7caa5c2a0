import type { Felt } from "#base/primitives/index.ts";
import { type Felts, feltsOf } from "#kernels/vm/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import { countEmission } from "../call/memory.ts";
import { fatal, type FatalReply } from "./failure.ts";
import type { SyscallFrame } from "./frame.ts";

/** Exclusive bound of Ethereum addresses. */
const ETH_ADDRESS_BOUND = 1n << 160n;

/** Emits an event. @returns the end of the transaction if a protocol limit is exceeded */
export function emitEvent(
  { context, record }: SyscallFrame,
  keys: Felts,
  data: Felts,
): FatalReply | undefined {
  const problem = eventLimitProblem(context, keys, data);
  if (problem !== undefined) return fatal(problem);
  countEmission(context, record, keys, data);
  const order = context.eventCount++;
  record.events.push({ order, keys: feltsOf(keys), data: feltsOf(data) });
  return undefined;
}

/** Sends a message to L1. @returns the end of the transaction if the recipient is not a valid address */
export function sendMessageToL1(
  { context, record }: SyscallFrame,
  toAddress: Felt,
  payload: Felts,
): FatalReply | undefined {
  if (toAddress >= ETH_ADDRESS_BOUND) return fatal(`Out of range ${toAddress}.`);
  record.count("SendMessageToL1", 0, payload.length);
  countEmission(context, record, payload);
  const order = context.messageCount++;
  record.messages.push({ order, toAddress, payload: feltsOf(payload) });
  return undefined;
}

/** Error text for the limit that one more event would exceed; `undefined` if it may be emitted. */
function eventLimitProblem(
  { transaction, eventCount }: ExecutionContext,
  keys: Felts,
  data: Felts,
): string | undefined {
  const limits = transaction.block.constants.txEventLimits;
  const count = eventCount + 1;
  if (count > limits.maxEmittedEvents) {
    return (
      `Exceeded the maximum number of events, number events: ${count}, ` +
      `max number events: ${limits.maxEmittedEvents}.`
    );
  }
  if (keys.length > limits.maxKeysLength) {
    return (
      `Exceeded the maximum keys length, keys length: ${keys.length}, ` +
      `max keys length: ${limits.maxKeysLength}.`
    );
  }
  if (data.length > limits.maxDataLength) {
    return (
      `Exceeded the maximum data length, data length: ${data.length}, ` +
      `max data length: ${limits.maxDataLength}.`
    );
  }
  return undefined;
}
