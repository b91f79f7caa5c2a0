import type { HttpListener } from "#api/rpc/index.ts";

/** Listener of the parts that serve it now. */
export interface LentListener {
  readonly listener: HttpListener;
  /** Holds requests for the parts that serve the listener next; a stop of these parts leaves it open. */
  takeBack(): void;
}

/** Lends a listener to parts of a node that others may replace. */
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
