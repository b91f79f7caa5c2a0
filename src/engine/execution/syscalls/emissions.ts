import type { Felt } from "#base/primitives/index.ts";
import { type Felts, feltsOf } from "#kernels/vm/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import { countEmission } from "../call/memory.ts";
import { fatal, ok, type SyscallHandler } from "./reply.ts";

/** Ethereum addresses are below 2^160. */
const ETH_ADDRESS_BOUND = 1n << 160n;

/** Whether messages can be sent to an address. */
export function isEthAddress(address: Felt): boolean {
  return address < ETH_ADDRESS_BOUND;
}

/** Text of the limit that one more event would exceed; `undefined` when it may be emitted. */
export function eventLimitProblem(
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

/** `emit_event(keys, data)`. */
export const emitEvent: SyscallHandler = {
  name: "EmitEvent",
  prepare({ context, record }, cursor) {
    const keys = cursor.list();
    const data = cursor.list();
    return {
      linear: 0,
      run(gas) {
        const problem = eventLimitProblem(context, keys, data);
        if (problem !== undefined) return fatal(problem);
        countEmission(context, record, keys, data);
        const order = context.eventCount++;
        record.events.push({ order, keys: feltsOf(keys), data: feltsOf(data) });
        return ok(gas);
      },
    };
  },
};

/** `send_message_to_l1(to_address, payload)`. */
export const sendMessageToL1: SyscallHandler = {
  name: "SendMessageToL1",
  prepare({ context, record }, cursor) {
    const toAddress = cursor.felt();
    const payload = cursor.list();
    return {
      linear: payload.length,
      run(gas) {
        record.count("SendMessageToL1", 0, payload.length);
        if (!isEthAddress(toAddress)) return fatal(`Out of range ${toAddress}.`);
        countEmission(context, record, payload);
        const order = context.messageCount++;
        record.messages.push({ order, toAddress, payload: feltsOf(payload) });
        return ok(gas);
      },
    };
  },
};
