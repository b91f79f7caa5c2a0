import { BODY_BUDGET_BYTES, BodyBudget } from "#api/rpc/http/body-budget.ts";
import { HttpConnection } from "#api/rpc/http/connection.ts";
import { KnownHeads, MAX_KNOWN_HEADS } from "#api/rpc/http/known-heads.ts";
import type { HttpHandler } from "#api/rpc/http/message.ts";
import type { HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import type { WriteTurn } from "#api/rpc/http/turn-writes.ts";
import { UNSENT_BUDGET_BYTES, UnsentBudget } from "#api/rpc/http/unsent-budget.ts";
import { UpgradeLimit } from "#api/rpc/http/upgrade-limit.ts";
import { fakeSocket } from "./fake-socket.ts";
import { roomyBytes } from "./held-bytes.ts";

/** Default timeouts of an {@link httpConnection} in tests. */
export const TIMEOUTS: HttpTimeouts = {
  headersMs: 100,
  requestMs: 1_000,
  idleMs: 10_000,
  answerMs: 100_000,
};

/** Flushes every write immediately. */
const IMMEDIATE: WriteTurn = { add: (output) => output.release() };

/** Dependencies shared by connections, without a listener. */
export function httpService(
  handler: HttpHandler,
  {
    held = roomyBytes(),
    budget = new BodyBudget(BODY_BUDGET_BYTES, held),
    timeouts = TIMEOUTS,
    writes = IMMEDIATE,
  } = {},
) {
  return {
    handler,
    timeouts,
    isStopping: false,
    isCrowded: false,
    held,
    budget,
    unsent: new UnsentBudget(UNSENT_BUDGET_BYTES, held),
    writes,
    upgrades: new UpgradeLimit(8),
    heads: new KnownHeads(MAX_KNOWN_HEADS),
  };
}

/** A connection over a socket of {@link fakeSocket}. */
export function httpConnection(
  handler: HttpHandler,
  options: { takes?: number; budget?: BodyBudget; service?: ReturnType<typeof httpService> } = {},
) {
  const { takes, budget = new BodyBudget(BODY_BUDGET_BYTES, roomyBytes()) } = options;
  const { service = httpService(handler, { budget }) } = options;
  const socket = fakeSocket(takes);
  const connection = new HttpConnection(socket, service);
  return {
    socket,
    service,
    connection,
    send: (text: string) => connection.receive(Buffer.from(text)),
    later: (ms: number) => connection.checkTimes(performance.now() + ms),
  };
}

/** The statuses of the responses in the bytes of a connection. */
export const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
