import type { HeldWork } from "./limits/held-work.ts";
import { SLICE_MS } from "./turns.ts";

/** Requests of one batch that are under way at the same time. */
const LANES = 8;

/** Of them on query threads: a batch is one client, and has as few in hand as one. */
export const QUERY_LANES = 4;

/** An answer up to this size is given also beyond the limit: it may tell what was done. */
const SMALL_BYTES = 1_024;

/** A text in pieces, as they follow each other: text, or UTF-8. */
export type BodyPieces = readonly (string | Uint8Array)[];

/** A response body; `undefined` when there is nothing to answer. */
export type ResponseBody = string | BodyPieces | undefined;

/** How a batch is answered. */
export interface BatchRules<T> {
  readonly answer: (request: T) => ResponseBody | Promise<ResponseBody>;
  /** Stands for a response that exceeds {@link maxBytes}; the request may have been run or not. */
  readonly refuse: (request: T) => ResponseBody;
  /** Stands for the response to a request that was not run, as the node has no room for responses. */
  readonly refuseBusy: (request: T) => ResponseBody;
  /** Whether the request runs on a query thread. */
  readonly isQuery: (request: T) => boolean;
  /** Whether the request has to be run though there is no room: nobody would learn that it was not. */
  readonly isSilent: (request: T) => boolean;
  /** Most bytes of all answers together; small answers do not count against it. */
  readonly maxBytes: number;
  /** Counts the responses until the batch is answered, and tells whether there is room for more. */
  readonly held: Pick<HeldWork, "add" | "room">;
  /** Whether nobody will read the responses. */
  readonly isAbandoned: () => boolean;
  /** Settles when the batch may go on after others had their turn. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Answers the requests of a batch, a bounded number at a time and begun in their order. Once the
 * answers have reached the limit, or the batch has waited for room for too long, no further request is run.
 *
 * @returns one answer per request, in the same order
 */
export async function answerBatch<T>(
  requests: readonly T[],
  rules: BatchRules<T>,
): Promise<readonly ResponseBody[]> {
  const { answer, refuse, refuseBusy, isQuery, isSilent, maxBytes, held, nextTurn } = rules;
  const bodies = new Array<ResponseBody>(requests.length).fill(undefined);
  let next = 0;
  let usedBytes = 0;
  /** What stands for the responses of requests that are not run any more. */
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

  /** @returns `true` where there is room; else one wait of all lanes, behind which they look again */
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
        // All lanes wait for one turn: each of its own would run one request per lane at a time.
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

/** Bytes of a body in UTF-8. */
export function byteLength(body: ResponseBody | Uint8Array): number {
  if (body === undefined) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body.reduce((sum, piece) => sum + byteLength(piece), 0);
}

/** Whether a body has more bytes; a unit of text has at most three of them. */
export function isLongerThan(
  body: Exclude<ResponseBody, undefined> | Uint8Array,
  maxBytes: number,
): boolean {
  if (typeof body === "string" && body.length * 3 <= maxBytes) return false;
  return byteLength(body) > maxBytes;
}

/** The answers that there are as an array, in pieces unless all are text; `undefined` when there is none. */
export function joinBatch(bodies: readonly ResponseBody[]): ResponseBody {
  const given = bodies.filter((body) => body !== undefined);
  if (given.length === 0) return undefined;
  if (given.every((body) => typeof body === "string" && body.length <= SMALL_BYTES)) {
    return `[${given.join(",")}]`;
  }
  return [...given.flatMap((body, i) => [i === 0 ? "[" : ",", body].flat()), "]"];
}
