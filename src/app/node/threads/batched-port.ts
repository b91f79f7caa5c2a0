import type { Port } from "#base/primitives/index.ts";

/** Messages that travel together, in order. */
export interface Batch<Message> {
  readonly kind: "batch";
  readonly messages: readonly Message[];
}

/** Calls back once the thread has done what it has in hand, before it waits for anything. */
export type AtTurnEnd = (callback: () => void) => void;

/** {@link AtTurnEnd} of the thread that this is called in. */
export function atTurnEnd(callback: () => void): void {
  setImmediate(callback);
}

/**
 * A port for many small messages, each of which would cost as much as a batch of them does on its way to
 * another thread. What is sent within one turn goes together at its end; nothing waits for a timer.
 */
export function batchedPort<In, Out>(
  port: Port<Batch<In>, Batch<Out>>,
  schedule: AtTurnEnd,
): Port<In, Out> {
  let messages: Out[] = [];
  let transfers: ArrayBuffer[] = [];
  const flush = (): void => {
    const batch = { kind: "batch", messages } as const;
    const moved = transfers;
    messages = [];
    transfers = [];
    port.send(batch, moved);
  };
  return {
    send(message, transfer = []) {
      transfers.push(...transfer);
      if (messages.push(message) === 1) schedule(flush);
    },
    listen(handler) {
      port.listen((batch) => {
        for (const message of batch.messages) handler(message);
      });
    },
  };
}
