/** A stream as far as closing it on the other side concerns us. */
export interface ClosableStream {
  on(event: "error", listener: (error: { readonly code?: string }) => void): unknown;
}

/**
 * Lets the program go on when the reader of its output has gone, as `| head` does: what would be
 * written then is dropped. Other errors of the streams are thrown.
 */
export function survivesClosedOutput(streams: readonly ClosableStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
