import { Card, Empty } from "../../parts/basic.tsx";
import { EventList } from "../../parts/event-list.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Events of a transaction, decoded by the classes that emitted them. */
export function TransactionEvents({
  of: { events, eventClasses, classes, abis },
}: {
  readonly of: LoadedTransaction;
}) {
  return (
    <Card>
      {events.length === 0 ? (
        <Empty>This transaction has no events.</Empty>
      ) : (
        <EventList
          events={events}
          isTraced
          abiOf={({ index, emitter }) =>
            abis.get(eventClasses[index] ?? classes.get(emitter) ?? "")
          }
        />
      )}
    </Card>
  );
}
