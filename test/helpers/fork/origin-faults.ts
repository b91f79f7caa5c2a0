import type { OriginCall, OriginOccasion, OriginResponse, OriginRule } from "./origin-proxy.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A response with one error for each call. */
export function rpcErrors(
  { calls, isBatch }: Pick<OriginOccasion, "calls" | "isBatch">,
  code: number,
  message: string,
): OriginResponse {
  const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, error: { code, message } }));
  return { status: 200, headers: JSON_TYPE, text: JSON.stringify(isBatch ? answers : answers[0]) };
}

/** Replaces results of an honest response; errors remain. */
async function withResults(
  { calls, isBatch, honest }: OriginOccasion,
  change: (call: OriginCall, result: unknown) => unknown,
): Promise<OriginResponse> {
  const reply = await honest();
  const document = JSON.parse(reply.text) as Answer | readonly Answer[];
  const answers = (isBatch ? document : [document]) as readonly Answer[];
  const changed = answers.map((answer, index) => {
    const call = calls.find(({ id }) => id === answer.id) ?? calls[index];
    if (call === undefined || answer.result === undefined) return answer;
    return { ...answer, result: change(call, answer.result) };
  });
  return { ...reply, text: JSON.stringify(isBatch ? changed : changed[0]) };
}

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
}

function status(code: number, headers: Readonly<Record<string, string>> = {}): OriginResponse {
  return { status: code, headers, text: "" };
}

/** A rule that applies to one request of `each`. */
export function sometimes(each: number, { lie }: OriginRule): OriginRule {
  let count = 0;
  return { lie: (occasion) => (++count % each === 0 ? lie(occasion) : occasion.honest()) };
}

/** A rule whose honest response is that of the next rule. */
export function allOf(rules: readonly OriginRule[]): OriginRule {
  return {
    lie: (occasion) => {
      const answers = rules.reduceRight<OriginOccasion["honest"]>(
        (next, { lie }) =>
          async (upstream) =>
            (await lie({ ...occasion, honest: () => next(upstream) })) ?? status(500),
        occasion.honest,
      );
      return answers();
    },
  };
}

/** A rule that responds with status 429 above a cost in a second. */
function limited(most: number, costOf: (occasion: OriginOccasion) => number): OriginRule {
  let second = 0;
  let cost = 0;
  return {
    lie: (occasion) => {
      const now = Math.floor(Date.now() / 1000);
      if (now !== second) cost = 0;
      second = now;
      cost += costOf(occasion);
      return cost > most ? status(429) : occasion.honest();
    },
  };
}

/** Rules of an {@link OriginProxy} that imitate faults of the URLs of a fork's origin. */
export const ORIGIN_FAULTS = {
  /** Responds after a pause. */
  slow: (ms: number): OriginRule => ({
    lie: async ({ honest }) => {
      await Bun.sleep(ms);
      return honest();
    },
  }),
  /** Responds that there are too many requests. */
  throttle: (retryAfter?: string): OriginRule => ({
    lie: () => status(429, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  }),
  /** Breaks every connection. */
  down: (): OriginRule => ({ lie: ({ response }) => void response.socket?.destroy() }),
  /** Accepts every request and never responds. */
  hang: (): OriginRule => ({ lie: () => undefined }),
  /** Breaks one connection of `each`. */
  drop: (each: number): OriginRule => {
    let count = 0;
    return {
      lie: ({ honest, response }) => {
        if (++count % each !== 0) return honest();
        response.socket?.destroy();
        return undefined;
      },
    };
  },
  /** Breaks the connection after the first half of each response. */
  half: (): OriginRule => ({
    lie: async ({ honest, response }) => {
      const { headers, text } = await honest();
      response.writeHead(200, { ...headers, "content-length": String(text.length) });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
      return undefined;
    },
  }),
  /** Sends bytes as fast as they are read, until the connection ends. */
  endless: (): OriginRule => ({
    lie: ({ response }) => {
      response.writeHead(200, JSON_TYPE);
      const chunk = " ".repeat(1 << 20);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
      return undefined;
    },
  }),
  /** Sends a byte now and then, until the connection ends. */
  drip: (): OriginRule => ({
    lie: ({ response }) => {
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
      return undefined;
    },
  }),
  /** Responds with a page, as proxies of public endpoints do. */
  html: (code: number): OriginRule => ({
    lie: () => ({
      status: code,
      headers: { "content-type": "text/html" },
      text: `<html><title>${code}</title></html>`,
    }),
  }),
  /** Responds to each call with an error. */
  refuse: (code: number, message: string): OriginRule => ({
    lie: (occasion) => rpcErrors(occasion, code, message),
  }),
  /** Replaces each result of a method. */
  results: (method: string, change: (result: unknown) => unknown): OriginRule => ({
    methods: [method],
    lie: (occasion) =>
      withResults(occasion, (call, result) => (call.method === method ? change(result) : result)),
  }),
  /** Rejects batches of more than `most` calls with a JSON-RPC error. */
  batches: (most: number): OriginRule => ({
    lie: (occasion) => {
      if (occasion.calls.length <= most) return occasion.honest();
      const error = { code: -32600, message: `batch limit of ${most} exceeded` };
      const text = JSON.stringify({ jsonrpc: "2.0", id: null, error });
      return { status: 200, headers: JSON_TYPE, text };
    },
  }),
  /** Responds with status 429 after `most` calls in a second. */
  rate: (most: number): OriginRule => limited(most, ({ calls }) => calls.length),
  /** Responds with status 429 after `most` requests in a second. */
  requestRate: (most: number): OriginRule => limited(most, () => 1),
} as const;
