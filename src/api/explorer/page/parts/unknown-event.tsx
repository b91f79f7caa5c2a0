import { useState } from "hono/jsx/dom";
import type { EmittedEvent } from "../decode/event-classes.ts";
import type { NamedEvent } from "../decode/named-event.ts";
import { visibleText } from "../decode/visible-text.ts";
import { messageOf } from "../rpc/page-error.ts";
import { rpc } from "../state/chain.ts";
import { abiOfClass } from "../state/classes.ts";
import { useLoad } from "../state/load.ts";
import { tracedEvent } from "../state/traced-event.ts";
import { Values } from "./value.tsx";

const PORT = {
  call: rpc.call.bind(rpc),
  abiOfClass,
};

type ListedEvent = EmittedEvent & { readonly transactionHash: string };

/** Event that the class of its contract does not describe; a button decodes it by the trace of its transaction. */
export function UnknownEvent({
  event,
  isTraced,
}: {
  readonly event: ListedEvent;
  /** Whether the trace was used already: then there is no button. */
  readonly isTraced: boolean;
}) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <TracedEvent event={event} />;
  return (
    <>
      <span class="row">
        <span class="muted">unknown event</span>
        {isTraced ? null : (
          <button type="button" onClick={() => setAsked(true)}>
            Decode by trace
          </button>
        )}
      </span>
      <Felts event={event} />
    </>
  );
}

function TracedEvent({ event }: { readonly event: ListedEvent }) {
  const { transactionHash, emitter, keys, data } = event;
  const key = `traced ${transactionHash} ${emitter} ${keys.join()} ${data.join()}`;
  const loaded = useLoad(key, () => tracedEvent(transactionHash, event, PORT));
  switch (loaded.state) {
    case "loading":
      return (
        <span class="muted" role="status">
          Loading the trace…
        </span>
      );
    case "failed":
      return (
        <>
          <span class="bad-text" role="alert">
            The node gave no trace: {visibleText(messageOf(loaded.error))}
          </span>
          <Felts event={event} />
        </>
      );
    case "ready":
      return loaded.value === undefined ? (
        <>
          <span class="muted" role="status">
            unknown event, also to the class that emitted it
          </span>
          <Felts event={event} />
        </>
      ) : (
        <KnownEvent named={loaded.value} />
      );
  }
}

/** Event with name and values. */
export function KnownEvent({ named }: { readonly named: NamedEvent }) {
  return (
    <>
      <strong>{visibleText(named.name, 120)}</strong>
      <Values list={named} />
    </>
  );
}

function Felts({ event: { keys, data } }: { readonly event: ListedEvent }) {
  return <Values list={{ values: [], rest: [...keys, ...data], problem: null }} />;
}
