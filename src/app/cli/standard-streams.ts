/** The part of a stream that reports when its reader closes it. */
export interface ClosableStream {
  on(event: "error", listener: (error: { readonly code?: string }) => void): unknown;
}

/**
 * Lets the program continue when the reader of its output has exited, as in `| head`; further output is
 * dropped. Other stream errors are thrown.
 */
export function survivesClosedOutput(streams: readonly ClosableStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
