import type { HeldWork } from "./limits/held-work.ts";
import { SLICE_MS } from "./turns.ts";

/** Maximum requests of one batch in flight at the same time. */
const LANES = 8;

/** Maximum requests of a batch on query threads: as many as a single client has in flight. */
export const QUERY_LANES = 4;

/** Responses up to this size are sent even beyond the limit: they may report side effects of the request. */
const SMALL_BYTES = 1_024;

/** Parts of a response body in order, as text or UTF-8 bytes, that are sent one after the other. */
export type BodyPieces = readonly (string | Uint8Array)[];

/** Response body; `undefined` if no response is sent. */
export type ResponseBody = string | BodyPieces | undefined;

/** Rules for answering a batch. */
export interface BatchRules<T> {
  readonly answer: (request: T) => ResponseBody | Promise<ResponseBody>;
  /** Response that replaces one that exceeds {@link maxBytes}; the request may or may not have run. */
  readonly refuse: (request: T) => ResponseBody;
  /** Response to a request that was not run because the node has no room for responses. */
  readonly refuseBusy: (request: T) => ResponseBody;
  readonly isQuery: (request: T) => boolean;
  /** Whether the request must run even without room: it has no response that could report a refusal. */
  readonly isSilent: (request: T) => boolean;
  /** Maximum bytes of all responses together; small responses do not count. */
  readonly maxBytes: number;
  /** Counts the responses until the batch is answered, and reports whether there is room for more. */
  readonly held: Pick<HeldWork, "add" | "room">;
  /** Whether the responses have no reader. */
  readonly isAbandoned: () => boolean;
  /** Settles when the batch may continue after other work had its turn. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Answers the requests of a batch, a bounded number at a time, started in order. Once the responses have
 * reached the limit, or the batch has waited too long for room, it runs no further request, except those
 * without a response (`isSilent`).
 *
 * @returns one response per request, in the same order
 */
export async function answerBatch<T>(
  requests: readonly T[],
  rules: BatchRules<T>,
): Promise<readonly ResponseBody[]> {
  const { answer, refuse, refuseBusy, isQuery, isSilent, maxBytes, held, nextTurn } = rules;
  const bodies = new Array<ResponseBody>(requests.length).fill(undefined);
  let next = 0;
  let usedBytes = 0;
  /** Creates the responses of all requests that are no longer run. */
  let refuseRest: BatchRules<T>["refuse"] | undefined;
  let sliceStartMs = performance.now();
  let turn: Promise<void> | undefined;
  let roomWait: Promise<void> | undefined;
  let queries = 0;
  let queryEnded: PromiseWithResolvers<void> | undefined;

  const pause = async (): Promise<void> => {
    await nextTurn();
    sliceStartMs = performance.now();
    turn = undefined;
  };

  const waitForRoom = async (hasRoom: Promise<boolean>): Promise<void> => {
    if (!(await hasRoom)) refuseRest ??= refuseBusy;
    roomWait = undefined;
  };

  /** @returns `true` if there is room; otherwise one wait shared by all lanes, which then check again */
  const room = (): true | Promise<void> => {
    if (refuseRest !== undefined) return true;
    if (roomWait !== undefined) return roomWait;
    const found = held.room();
    if (found === true) return true;
    roomWait = waitForRoom(found);
    return roomWait;
  };

  const answerQuery = async (request: T): Promise<ResponseBody> => {
    queries++;
    try {
      return await answer(request);
    } finally {
      queries--;
      queryEnded?.resolve();
      queryEnded = undefined;
    }
  };

  const keep = (index: number, body: ResponseBody): void => {
    if (rules.isAbandoned()) return;
    const size = byteLength(body);
    const isSmall = size <= SMALL_BYTES;
    if (!isSmall && usedBytes + size > maxBytes) {
      refuseRest ??= refuse;
      bodies[index] = refuse(requests[index] as T);
      return;
    }
    if (!isSmall) usedBytes += size;
    held.add(size);
    bodies[index] = body;
  };

  const lane = async (): Promise<void> => {
    while (next < requests.length) {
      if (performance.now() - sliceStartMs > SLICE_MS) {
        // All lanes share one turn: with separate turns, each would let a lane run only one request.
        turn ??= pause();
        await turn;
        continue;
      }
      const request = requests[next] as T;
      if (refuseRest !== undefined && !isSilent(request)) {
        bodies[next++] = refuseRest(request);
        continue;
      }
      const isHeavy = isQuery(request);
      if (isHeavy && queries >= QUERY_LANES) {
        queryEnded ??= Promise.withResolvers();
        await queryEnded.promise;
        continue;
      }
      const found = room();
      if (found !== true) {
        await found;
        continue;
      }
      const index = next++;
      keep(index, await (isHeavy ? answerQuery(request) : answer(request)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, requests.length) }, lane));
  return bodies;
}

/** Returns the length of a body in UTF-8 bytes. */
export function byteLength(body: ResponseBody | Uint8Array): number {
  if (body === undefined) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body.reduce((sum, piece) => sum + byteLength(piece), 0);
}

/** Whether a body has more bytes than `maxBytes`; a UTF-16 unit takes at most three. */
export function isLongerThan(
  body: Exclude<ResponseBody, undefined> | Uint8Array,
  maxBytes: number,
): boolean {
  if (typeof body === "string" && body.length * 3 <= maxBytes) return false;
  return byteLength(body) > maxBytes;
}

/**
 * Joins the responses of a batch into a JSON array, in chunks unless all are short text; `undefined` if there
 * are no responses.
 */
export function joinBatch(bodies: readonly ResponseBody[]): ResponseBody {
  const present = bodies.filter((body) => body !== undefined);
  if (present.length === 0) return undefined;
  if (present.every((body) => typeof body === "string" && body.length <= SMALL_BYTES)) {
    return `[${present.join(",")}]`;
  }
  return [...present.flatMap((body, i) => [i === 0 ? "[" : ",", body].flat()), "]"];
}
