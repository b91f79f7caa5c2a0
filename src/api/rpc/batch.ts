/** Requests of one batch that are under way at the same time. */
const LANES = 64;

/** Of them on query threads: a batch is one client, and has as few in hand as one. */
export const QUERY_LANES = 4;

/** The main thread turns to others after this much work for one batch. */
const SLICE_MS = 5;

/** An answer up to this size is given also beyond the limit: it may tell what was done. */
const SMALL_BYTES = 1_024;

/** A response body; `undefined` when there is nothing to answer. */
export type ResponseBody = string | Uint8Array | undefined;

/** How a batch is answered. */
export interface BatchRules<T> {
  readonly answer: (request: T) => ResponseBody | Promise<ResponseBody>;
  /** Stands for an answer that there is no room for; the request may have been run or not. */
  readonly refuse: (request: T) => ResponseBody;
  /** Whether the request runs on a query thread. */
  readonly isQuery: (request: T) => boolean;
  /** Whether the request has to be run though there is no room: nobody would learn that it was not. */
  readonly isSilent: (request: T) => boolean;
  /** Most bytes of all answers together; small answers do not count against it. */
  readonly maxBytes: number;
  /** Settles when the batch may go on after others had their turn. */
  readonly nextTurn: () => Promise<void>;
}

/**
 * Answers the requests of a batch, a bounded number at a time and begun in their order. Once the
 * answers have reached the limit no further request is run.
 *
 * @returns one answer per request, in the same order
 */
export async function answerBatch<T>(
  requests: readonly T[],
  { answer, refuse, isQuery, isSilent, maxBytes, nextTurn }: BatchRules<T>,
): Promise<readonly ResponseBody[]> {
  const bodies = new Array<ResponseBody>(requests.length).fill(undefined);
  let next = 0;
  let usedBytes = 0;
  let isFull = false;
  let sliceStartMs = performance.now();
  let turn: Promise<void> | undefined;
  let queries = 0;
  let queryEnded: PromiseWithResolvers<void> | undefined;

  const pause = async (): Promise<void> => {
    await nextTurn();
    sliceStartMs = performance.now();
    turn = undefined;
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

  const lane = async (): Promise<void> => {
    while (next < requests.length) {
      if (performance.now() - sliceStartMs > SLICE_MS) {
        // All lanes wait for one turn: each of its own would run one request per lane at a time.
        turn ??= pause();
        await turn;
        continue;
      }
      const request = requests[next] as T;
      if (isFull && !isSilent(request)) {
        bodies[next++] = refuse(request);
        continue;
      }
      const isHeavy = isQuery(request);
      if (isHeavy && queries >= QUERY_LANES) {
        queryEnded ??= Promise.withResolvers();
        await queryEnded.promise;
        continue;
      }
      const index = next++;
      const body = await (isHeavy ? answerQuery(request) : answer(request));
      const size = byteLength(body);
      if (size <= SMALL_BYTES) bodies[index] = body;
      else if (usedBytes + size > maxBytes) {
        isFull = true;
        bodies[index] = refuse(request);
      } else {
        usedBytes += size;
        bodies[index] = body;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, requests.length) }, lane));
  return bodies;
}

/** Bytes of a body in UTF-8. */
export function byteLength(body: ResponseBody): number {
  if (body === undefined) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}

/** Whether a body has more bytes; a unit of text has at most three of them. */
export function isLongerThan(body: string | Uint8Array, maxBytes: number): boolean {
  if (typeof body === "string" && body.length * 3 <= maxBytes) return false;
  return byteLength(body) > maxBytes;
}

const utf8 = new TextEncoder();

/** The answers that there are as an array; `undefined` when there is none. */
export function joinBatch(bodies: readonly ResponseBody[]): ResponseBody {
  const given = bodies.filter((body) => body !== undefined);
  if (given.length === 0) return undefined;
  if (given.every((body) => typeof body === "string")) return `[${given.join(",")}]`;
  const pieces: Uint8Array[] = [];
  given.forEach((body, i) => {
    pieces.push(utf8.encode(i === 0 ? "[" : ","));
    pieces.push(typeof body === "string" ? utf8.encode(body) : body);
  });
  pieces.push(utf8.encode("]"));
  return Buffer.concat(pieces);
}
