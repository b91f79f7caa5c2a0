import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { PendingGone, SyncToQuery } from "#services/sync/index.ts";
import { invariant } from "#base/errors/index.ts";
import { createMailbox } from "./mailbox.ts";
import type { WorkerContext } from "./runtime.ts";

/** What is told of the chain's growth, wherever it comes from. */
export interface Growth<Accepted = AcceptedMessage, Delta = DeltaMessage | PendingGone> {
  /** What was executed, or is known of a block that is not accepted; in order with it, that it is gone. */
  readonly deltas: Listener<Delta>;
  /** A block was accepted. */
  readonly accepted: Listener<Accepted>;
}

/** Hears messages, in order; called once. */
export interface Listener<In> {
  listen(handler: (message: In) => void): void;
}

/** The growth that one thread tells in both parts, in the order in which it does. */
export function growthOfOne(port: Listener<SyncToQuery>): Growth {
  const deltas = createMailbox<DeltaMessage | PendingGone>();
  const accepted = createMailbox<AcceptedMessage>();
  port.listen((message) => {
    if (message.kind === "accepted") accepted.deliver(message);
    else deltas.deliver(message);
  });
  return { deltas, accepted };
}

/** What a query thread is told of the chain's growth; called once. */
export function connectGrowth({
  growth,
  connect,
}: Pick<WorkerContext<"query">, "growth" | "connect">): Growth {
  invariant(growth !== null, "query threads are told of the chain's growth");
  return growth.deltas === "sync"
    ? growthOfOne(connect("sync"))
    : { deltas: connect(growth.deltas), accepted: connect(growth.accepted) };
}
