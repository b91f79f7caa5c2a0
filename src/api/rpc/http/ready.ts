import { type HttpReply, jsonReply } from "./message.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Answers `GET /ready?max_lag=N`: 200 if the node is ready and at most N blocks behind (without N: in sync),
 * 503 if not, 400 if N is not a whole number. `l1_not_followed` is the reason why L1 is not followed at
 * present.
 *
 * @param url - a path with or without a query, or an absolute URL
 */
export function readyReply(url: string, readiness: () => Readiness): HttpReply {
  const text = new URL(url, "http://localhost").searchParams.get("max_lag");
  if (text !== null && !/^\d{1,15}$/.test(text)) {
    return jsonReply(JSON.stringify({ error: "max_lag: expected a whole number of blocks" }), 400);
  }
  const { ready, blockNumber, lagBlocks, isInSync, reason, l1NotFollowed, sourceAgeSeconds } =
    readiness();
  const tooFar = text === null ? !isInSync : lagBlocks > Number(text);
  const behind = text === null ? "not in sync yet" : `more than ${text} blocks behind`;
  const why = reason ?? (tooFar ? behind : undefined);
  const isReady = ready && !tooFar;
  return jsonReply(
    JSON.stringify({
      ready: isReady,
      block_number: blockNumber ?? null,
      lag: lagBlocks,
      ...(sourceAgeSeconds === undefined ? {} : { source_age_seconds: sourceAgeSeconds }),
      ...(why === undefined ? {} : { reason: why }),
      ...(l1NotFollowed === undefined ? {} : { l1_not_followed: l1NotFollowed }),
    }),
    isReady ? 200 : 503,
  );
}
