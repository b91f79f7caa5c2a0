import type { ConnectionLimits } from "#api/rpc/index.ts";
import type { HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import { HTTP_TIMEOUTS } from "#api/rpc/index.ts";

/** The ways in which the application is served. */
export const KINDS = ["ours", "node:http", "Bun.serve"] as const;

/** One of them. */
export type Kind = (typeof KINDS)[number];

/** What a server is to keep, as far as its kind can. */
export interface Settings {
  readonly hostname: string;
  readonly timeouts: HttpTimeouts;
  readonly connections: ConnectionLimits;
  /** Notes requests in place of answering them. */
  readonly isRecording: boolean;
}

/** As a node has them. */
export const USUAL: Settings = {
  hostname: "127.0.0.1",
  timeouts: HTTP_TIMEOUTS,
  connections: { max: 1_000, maxPerAddress: Infinity },
  isRecording: false,
};

/** A second is enough for a head, two for a request and a silence, three for an answer; few connections. */
export const TIGHT: Settings = {
  ...USUAL,
  timeouts: { headersMs: 1_000, requestMs: 2_000, idleMs: 2_000, answerMs: 3_000 },
  connections: { max: 32, maxPerAddress: 24 },
};
