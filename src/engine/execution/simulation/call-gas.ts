import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { CallInfo } from "../call/info.ts";
import type { GasMode } from "../fee/gas-vector.ts";
import { messageGas, messageSegmentLength } from "../fee/messages.ts";
import { eventGas, sierraGasIn, vmGas } from "../fee/transaction-gas.ts";

/** Gas of a call including its inner calls, in the transaction's gas mode. */
export interface CallGas {
  readonly l1Gas: bigint;
  readonly l2Gas: bigint;
}

/** Gas of each call of a transaction, including its inner calls. */
export type CallGasTable = ReadonlyMap<CallInfo, CallGas>;

/**
 * Gas of each call including its inner calls: machine resources, Sierra gas, events and messages. Excludes
 * costs of the whole transaction: state changes, calldata, the operating system's part.
 *
 * Source: the reference engine's `to_partial_gas_vector`; checked against the traces of `rpc-execution`.
 *
 * @param roots - calls that the protocol made for the transaction
 */
export function callGasTable(
  roots: readonly CallInfo[],
  constants: ProtocolConstants,
  mode: GasMode,
): CallGasTable {
  const table = new Map<CallInfo, CallGas>();
  for (const root of roots) addCall(table, root, constants, mode);
  return table;
}

/** Emissions of a call and its inner calls. */
interface Emitted {
  eventKeys: number;
  eventData: number;
  messageGas: bigint;
}

function addCall(
  table: Map<CallInfo, CallGas>,
  call: CallInfo,
  constants: ProtocolConstants,
  mode: GasMode,
): Emitted {
  const emitted = emittedBy(call);
  const own = { keys: emitted.eventKeys, data: emitted.eventData };
  for (const inner of call.innerCalls) {
    const { eventKeys, eventData, messageGas } = addCall(table, inner, constants, mode);
    emitted.eventKeys += eventKeys;
    emitted.eventData += eventData;
    emitted.messageGas += messageGas;
  }
  const counted = constants.flags.ignoreInnerEventResources
    ? own
    : { keys: emitted.eventKeys, data: emitted.eventData };
  const events = eventGas(constants, counted.keys, counted.data, mode);
  const vm = vmGas(constants, call.vmResources, 0, mode);
  const sierra = sierraGasIn(constants, call.gasConsumed, mode);
  table.set(call, {
    l1Gas: events.l1Gas + vm.l1Gas + sierra.l1Gas + emitted.messageGas,
    l2Gas: events.l2Gas + vm.l2Gas + sierra.l2Gas,
  });
  return emitted;
}

function emittedBy({ events, messages }: CallInfo): Emitted {
  const emitted: Emitted = { eventKeys: 0, eventData: 0, messageGas: 0n };
  for (const { keys, data } of events) {
    emitted.eventKeys += keys.length;
    emitted.eventData += data.length;
  }
  const messagePayloadLengths = messages.map(({ payload }) => payload.length);
  emitted.messageGas = messageGas({
    messagePayloadLengths,
    messageSegmentLength: messageSegmentLength(messagePayloadLengths, null),
    l1HandlerPayloadSize: null,
  });
  return emitted;
}
