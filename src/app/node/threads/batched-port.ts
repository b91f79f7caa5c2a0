import type { Port } from "#base/primitives/index.ts";

/** Messages that are sent together, in order. */
export interface Batch<Message> {
  readonly kind: "batch";
  readonly messages: readonly Message[];
}

/** Calls back at the end of the thread's current turn, before it waits for anything. */
export type AtTurnEnd = (callback: () => void) => void;

/** {@link AtTurnEnd} of the calling thread. */
export function atTurnEnd(callback: () => void): void {
  setImmediate(callback);
}

/**
 * Wraps a port for many small messages, because each one would cost as much to send as a batch. Messages sent
 * within one turn are flushed together at its end, without a timer.
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
