import type { ConnectionLimits } from "#api/rpc/index.ts";
import type { HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import { HTTP_TIMEOUTS } from "#api/rpc/index.ts";

/** Servers of the application. */
export const KINDS = ["ours", "node:http", "Bun.serve"] as const;

/** A kind of server. */
export type Kind = (typeof KINDS)[number];

/** Limits for a server, as far as its kind supports them. */
export interface Settings {
  readonly hostname: string;
  readonly timeouts: HttpTimeouts;
  readonly connections: ConnectionLimits;
  /** Records requests instead of processing them. */
  readonly isRecording: boolean;
}

/** Settings of a node. */
export const USUAL: Settings = {
  hostname: "127.0.0.1",
  timeouts: HTTP_TIMEOUTS,
  connections: { max: 1_000, maxPerAddress: Infinity },
  isRecording: false,
};

/**
 * One second for a head, two for a request and an idle connection, three for a response; few
 * connections.
 */
export const TIGHT: Settings = {
  ...USUAL,
  timeouts: { headersMs: 1_000, requestMs: 2_000, idleMs: 2_000, answerMs: 3_000 },
  connections: { max: 32, maxPerAddress: 24 },
};
