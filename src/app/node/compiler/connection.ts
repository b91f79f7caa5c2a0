import { DecodeError } from "#base/errors/index.ts";
import { MAX_ANSWER_BYTES } from "./compiler-messages.ts";
import { FrameReader, frameOf } from "./frames.ts";

/** What a connection needs of a child process. */
export interface ConnectedChild {
  readonly stdin: { write(bytes: Uint8Array): unknown; flush(): unknown };
  readonly stdout: AsyncIterable<Uint8Array>;
  kill(signal: "SIGKILL"): void;
}

/** Messages to and from a child; one request at a time. */
export interface Connection {
  /** Writes a request; gives the answer, or `undefined` when the child ends before it. */
  request(message: Uint8Array): Promise<Uint8Array | undefined>;
  /** The next message that the child writes unasked; `undefined` when it ends before. */
  next(): Promise<Uint8Array | undefined>;
  /** Settles when the child writes no more. */
  readonly ended: Promise<void>;
}

/**
 * Begins to read what a child writes. One that writes too much, or without being asked, is not the
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
      throw new DecodeError("answer", "nothing that was not asked for");
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
      // Of a child that cannot be read there is nothing to tell but that it has ended.
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
