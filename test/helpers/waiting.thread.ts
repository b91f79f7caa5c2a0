import { OriginError } from "#base/errors/index.ts";
import {
  type OriginQuery,
  type OriginRequest,
  steadyPatience,
  WaitingChannel,
} from "#io/origin/index.ts";

/** What the test sends first: the port to the answering end, and what the thread asks. */
interface Start {
  readonly port: MessagePort;
  readonly queries: readonly OriginQuery[];
  readonly timeoutMs: number;
  /** Flag that cancels the waiting work when it is not 0. */
  readonly cancel: SharedArrayBuffer;
}

/** Outcome of one query for an origin's value on the waiting thread, as the test receives it. */
export interface Asked {
  readonly value?: Uint8Array | null;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly beats: number;
}

declare const self: {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent<Start>) => void) | null;
};

// Asks one query after another, and reports the results together.
self.onmessage = ({ data: { port, queries, timeoutMs, cancel } }) => {
  let beats = 0;
  const flag = new Int32Array(cancel);
  const channel = new WaitingChannel({
    post: (message: OriginRequest) => port.postMessage(message),
    patience: steadyPatience(timeoutMs),
    nowMs: () => performance.now(),
    isStopped: () => Atomics.load(flag, 0) !== 0,
    beat: () => void beats++,
  });
  self.postMessage(
    queries.map((query): Asked => {
      try {
        return { value: channel.ask(query), beats };
      } catch (error) {
        if (!(error instanceof OriginError)) throw error;
        return { failure: { code: error.code, message: error.message }, beats };
      }
    }),
  );
};
