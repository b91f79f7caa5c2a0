import { DecodeError } from "#base/errors/index.ts";
import { MAX_ANSWER_BYTES } from "./compiler-messages.ts";
import { FrameReader, frameOf } from "./frames.ts";

/** Part of a child process that a connection needs. */
export interface ConnectedChild {
  readonly stdin: { write(bytes: Uint8Array): unknown; flush(): unknown };
  readonly stdout: AsyncIterable<Uint8Array>;
  kill(signal: "SIGKILL"): void;
}

/** Message connection to a child; one request at a time. */
export interface Connection {
  /** Sends a request. @returns the answer; `undefined` if the child ends first */
  request(message: Uint8Array): Promise<Uint8Array | undefined>;
  /** Returns the next message that the child writes without a request; `undefined` if it ends first. */
  next(): Promise<Uint8Array | undefined>;
  /** Resolves when the child's output ends. */
  readonly ended: Promise<void>;
}

/**
 * Starts reading the output of a child. A child that writes too much, or without a request, is not the
 * program that was started: it is killed.
 */
export function connect(child: ConnectedChild): Connection {
  let waiting: ((message: Uint8Array | undefined) => void) | undefined;
  let isOver = false;
  const next = (): Promise<Uint8Array | undefined> =>
    isOver ? Promise.resolve(undefined) : new Promise((resolve) => (waiting = resolve));
  const give = (message: Uint8Array | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    if (resolve === undefined && message !== undefined) {
      throw new DecodeError("answer", "no message without a request");
    }
    resolve?.(message);
  };
  const read = async (): Promise<void> => {
    const reader = new FrameReader(MAX_ANSWER_BYTES);
    try {
      for await (const piece of child.stdout) {
        for (const message of reader.push(piece)) give(message);
      }
    } catch {
      // The only useful report about an unreadable child is that it has ended.
      child.kill("SIGKILL");
    }
    isOver = true;
    give(undefined);
  };
  return {
    next,
    ended: read(),
    async request(message) {
      const answer = next();
      try {
        await child.stdin.write(frameOf(message));
        await child.stdin.flush();
      } catch {
        child.kill("SIGKILL");
      }
      return answer;
    },
  };
}
