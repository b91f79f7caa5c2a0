import { Card, Empty } from "../../parts/basic.tsx";
import { EventList, eventsOfReceipt } from "../../parts/event-list.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Events of a transaction, decoded. */
export function TransactionEvents({
  of,
}: {
  readonly hash: string;
  readonly of: LoadedTransaction;
}) {
  const events = eventsOfReceipt(of.receipt ?? {});
  return (
    <Card>
      {events.length === 0 ? (
        <Empty>This transaction has no events.</Empty>
      ) : (
        <EventList
          events={events}
          abiOf={(emitter) => of.abis.get(of.classes.get(emitter) ?? "")}
        />
      )}
    </Card>
  );
}
