import { Card, Empty } from "../../parts/basic.tsx";
import { EventList, eventsOfReceipt, useEmitterAbis } from "../../parts/event-list.tsx";
import { type JsonObject, listOf, numberOf, objectOf } from "../../rpc/json.ts";

/** Events of a block, in the order of execution. */
export function BlockEvents({ block }: { readonly block: JsonObject }) {
  const events = listOf(block["transactions"]).flatMap((one) =>
    eventsOfReceipt(objectOf(objectOf(one)["receipt"])),
  );
  const abiOf = useEmitterAbis(events, { block_number: numberOf(block["block_number"]) ?? 0 });
  return (
    <Card>
      {events.length === 0 ? (
        <Empty>This block has no events.</Empty>
      ) : (
        <EventList events={events} abiOf={abiOf} />
      )}
    </Card>
  );
}
