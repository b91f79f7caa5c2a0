import type { Abi } from "../abi/abi.ts";
import { feltText } from "../abi/felt.ts";
import { feltsOf } from "../decode/calls.ts";
import { namedEvent } from "../decode/named-event.ts";
import { type JsonObject, listOf, objectOf, textOf } from "../rpc/json.ts";
import { classesAt, abisOf } from "../state/classes.ts";
import { useLoad } from "../state/load.ts";
import { Growing } from "./growing.tsx";
import { Hash } from "./hash.tsx";
import { KnownEvent, UnknownEvent } from "./unknown-event.tsx";
import { Table } from "./table.tsx";

/** Event in a list. */
export interface ShownEvent {
  readonly transactionHash: string;
  /** Position in the transaction. */
  readonly index: number;
  readonly emitter: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/** Returns the events of a receipt. */
export function eventsOfReceipt(receipt: JsonObject): readonly ShownEvent[] {
  return listOf(receipt["events"]).map((one, index) => {
    const event = objectOf(one);
    return {
      transactionHash: textOf(receipt["transaction_hash"]),
      index,
      emitter: feltText(event["from_address"]),
      keys: feltsOf(event["keys"]),
      data: feltsOf(event["data"]),
    };
  });
}

/** Events in the given order, decoded by the ABIs of their contracts. */
export function EventList({
  events,
  abiOf,
  isTraced = false,
}: {
  readonly events: readonly ShownEvent[];
  /** ABI of the class that emitted an event; `undefined` if it is unknown. */
  readonly abiOf: (event: ShownEvent) => Abi | undefined;
  /** Whether these ABIs come from traces; otherwise each unknown event can be decoded by its trace. */
  readonly isTraced?: boolean;
}) {
  return (
    <Growing of={events} what="events">
      {(shown) => (
        <div class="scroll">
          <Table heads={["Transaction", "Contract", "Event"]}>
            {shown.map((event) => (
              <Row
                key={`${event.transactionHash} ${event.index}`}
                event={event}
                abi={abiOf(event)}
                isTraced={isTraced}
              />
            ))}
          </Table>
        </div>
      )}
    </Growing>
  );
}

function Row({
  event,
  abi,
  isTraced,
}: {
  readonly event: ShownEvent;
  readonly abi: Abi | undefined;
  readonly isTraced: boolean;
}) {
  const named = namedEvent(abi, event.keys, event.data);
  return (
    <tr>
      <td>
        <Hash felt={event.transactionHash} to="tx" />
      </td>
      <td>
        <Hash felt={event.emitter} to="contract" />
      </td>
      <td class="wide">
        {named === undefined ? (
          <UnknownEvent event={event} isTraced={isTraced} />
        ) : (
          <KnownEvent named={named} />
        )}
      </td>
    </tr>
  );
}

/** Loads the ABIs of all emitters at a block. */
export function useEmitterAbis(
  events: readonly ShownEvent[],
  blockId: JsonObject | string,
): (event: ShownEvent) => Abi | undefined {
  const emitters = [...new Set(events.map(({ emitter }) => emitter))].toSorted();
  const loaded = useLoad(`emitters ${emitters.join()}`, async () => {
    const classes = await classesAt(emitters, blockId);
    return { classes, abis: await abisOf(classes.values()) };
  });
  return ({ emitter }) =>
    loaded.state === "ready"
      ? loaded.value.abis.get(loaded.value.classes.get(emitter) ?? "")
      : undefined;
}
