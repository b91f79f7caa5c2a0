import { fatal, ok, type SyscallHandler } from "./reply.ts";

/** Ethereum addresses are below 2^160. */
const ETH_ADDRESS_BOUND = 1n << 160n;

/** `emit_event(keys, data)`. */
export const emitEvent: SyscallHandler = {
  name: "EmitEvent",
  prepare({ context, record }, cursor) {
    const keys = cursor.array();
    const data = cursor.array();
    return {
      linear: 0,
      run(gas) {
        const limits = context.transaction.block.constants.txEventLimits;
        const count = context.eventCount + 1;
        if (count > limits.maxEmittedEvents) {
          return fatal(
            `Exceeded the maximum number of events, number events: ${count}, ` +
              `max number events: ${limits.maxEmittedEvents}.`,
          );
        }
        if (keys.length > limits.maxKeysLength) {
          return fatal(
            `Exceeded the maximum keys length, keys length: ${keys.length}, ` +
              `max keys length: ${limits.maxKeysLength}.`,
          );
        }
        if (data.length > limits.maxDataLength) {
          return fatal(
            `Exceeded the maximum data length, data length: ${data.length}, ` +
              `max data length: ${limits.maxDataLength}.`,
          );
        }
        record.events.push({ order: context.eventCount, keys, data });
        context.eventCount = count;
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
    const payload = cursor.array();
    return {
      linear: payload.length,
      run(gas) {
        record.count("SendMessageToL1", 0, payload.length);
        if (toAddress >= ETH_ADDRESS_BOUND) return fatal(`Out of range ${toAddress}.`);
        record.messages.push({ order: context.messageCount++, toAddress, payload });
        return ok(gas);
      },
    };
  },
};
