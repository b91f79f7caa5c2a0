import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { PendingDropped, SyncToQuery } from "#services/sync/index.ts";
import { invariant } from "#base/errors/index.ts";
import { createMailbox } from "./mailbox.ts";
import type { WorkerContext } from "./runtime.ts";

/** Messages about the chain's growth, from any source. */
export interface Growth<Accepted = AcceptedMessage, Delta = DeltaMessage | PendingDropped> {
  /**
   * Executed transactions, or known parts of a block that is not accepted yet; in order with these, its loss.
   */
  readonly deltas: Listener<Delta>;
  /** Accepted blocks. */
  readonly accepted: Listener<Accepted>;
}

/** Source of messages, in order; `listen` is called once. */
export interface Listener<In> {
  listen(handler: (message: In) => void): void;
}

/** Splits the messages of one thread that reports both parts, in order. */
export function growthOfOne(port: Listener<SyncToQuery>): Growth {
  const deltas = createMailbox<DeltaMessage | PendingDropped>();
  const accepted = createMailbox<AcceptedMessage>();
  port.listen((message) => {
    if (message.kind === "accepted") accepted.deliver(message);
    else deltas.deliver(message);
  });
  return { deltas, accepted };
}

/** Connects a query thread to its sources of growth; called once. */
export function connectGrowth({
  growth,
  connect,
}: Pick<WorkerContext<"query">, "growth" | "connect">): Growth {
  invariant(growth !== null, "query threads have growth sources");
  return growth.deltas === "sync"
    ? growthOfOne(connect("sync"))
    : { deltas: connect(growth.deltas), accepted: connect(growth.accepted) };
}
