import type { HttpListener } from "#api/rpc/index.ts";

/**
 * Listener as lent to the parts of a node that run now. A move of a fork replaces these parts; the listener
 * stays open.
 */
export interface LentListener {
  readonly listener: HttpListener;
  /** Holds requests for the parts that serve the listener next; a stop of these parts leaves it open. */
  takeBack(): void;
}

/**
 * Wraps a listener for parts that a move of a fork may replace: after `takeBack`, their `stop` no longer
 * closes it.
 */
export function lendListener(listener: HttpListener): LentListener {
  let isBack = false;
  return {
    listener: {
      hostname: listener.hostname,
      port: listener.port,
      get connections() {
        return listener.connections;
      },
      serve: (handler) => listener.serve(handler),
      hold: () => listener.hold(),
      async stop(graceMs, beforeClose) {
        if (isBack) beforeClose();
        else await listener.stop(graceMs, beforeClose);
      },
    },
    takeBack() {
      isBack = true;
      listener.hold();
    },
  };
}
