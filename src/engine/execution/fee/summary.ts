import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { CallInfo } from "../call/info.ts";
import { addResources, emptyResources, type MutableResources } from "../resources.ts";

/** Combined resources of call trees. */
export interface CallSummary {
  readonly vmResources: MutableResources;
  sierraGas: bigint;
  eventCount: number;
  eventKeys: number;
  eventData: number;
  readonly messagePayloadLengths: number[];
}

/** Sums up call trees. Fees count validation and execution; block capacity also counts the fee transfer. */
export function summarizeCalls(
  calls: Iterable<CallInfo>,
  constants: ProtocolConstants,
): CallSummary {
  const summary: CallSummary = {
    vmResources: emptyResources(),
    sierraGas: 0n,
    eventCount: 0,
    eventKeys: 0,
    eventData: 0,
    messagePayloadLengths: [],
  };
  for (const root of calls) {
    // Resources of a call include those of its inner calls, unlike events and messages.
    addResources(summary.vmResources, root.vmResources);
    summary.sierraGas += root.gasConsumed;
    addEmissions(summary, root, constants.flags.ignoreInnerEventResources, true);
  }
  return summary;
}

function addEmissions(
  summary: CallSummary,
  call: CallInfo,
  outermostEventsOnly: boolean,
  isRoot: boolean,
): void {
  if (isRoot || !outermostEventsOnly) {
    summary.eventCount += call.events.length;
    for (const event of call.events) {
      summary.eventKeys += event.keys.length;
      summary.eventData += event.data.length;
    }
  }
  for (const message of call.messages) summary.messagePayloadLengths.push(message.payload.length);
  for (const inner of call.innerCalls) addEmissions(summary, inner, outermostEventsOnly, false);
}
