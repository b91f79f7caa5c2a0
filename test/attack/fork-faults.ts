import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import type { OriginRule } from "#test/helpers/fork/origin-proxy.ts";

/** A fault of an origin, and how reads of a fork may end. */
export interface ForkFault {
  readonly name: string;
  /** @param other - URL of another chain with the same id and the same number of blocks */
  readonly rule: (other: string) => OriginRule;
  /** `values`: every read must succeed. `errors`: every read that needs the origin must fail. */
  readonly expects: "values" | "errors";
  /** Whether small attacks have it too. */
  readonly isSmall?: boolean;
}

const NO_FELT = `0x${"f".repeat(64)}`;

/** A response in place of another one, of each method that reads of the attack need. */
function everyResult(change: (result: unknown) => unknown): OriginRule {
  return {
    lie: async ({ honest }) => {
      const reply = await honest();
      const document = JSON.parse(reply.text) as object | readonly object[];
      const one = (answer: object) =>
        "result" in answer ? { ...answer, result: change(answer.result) } : answer;
      const changed = Array.isArray(document) ? document.map(one) : one(document);
      return { ...reply, text: JSON.stringify(changed) };
    },
  };
}

/** Faults that a fork must survive. */
export const FORK_FAULTS: readonly ForkFault[] = [
  { name: "300 ms each", rule: () => ORIGIN_FAULTS.slow(300), expects: "values" },
  {
    name: "429 three times",
    rule: () => ({ ...ORIGIN_FAULTS.throttle(), times: 3 }),
    expects: "values",
    isSmall: true,
  },
  {
    name: "429 with Retry-After",
    rule: () => ({ ...ORIGIN_FAULTS.throttle("1"), times: 2 }),
    expects: "values",
  },
  { name: "429 always", rule: () => ORIGIN_FAULTS.throttle(), expects: "errors" },
  { name: "one of five dropped", rule: () => ORIGIN_FAULTS.drop(5), expects: "values" },
  { name: "batches of 10", rule: () => ORIGIN_FAULTS.batches(10), expects: "values" },
  { name: "batches of 1", rule: () => ORIGIN_FAULTS.batches(1), expects: "values" },
  { name: "10 calls a second", rule: () => ORIGIN_FAULTS.rate(10), expects: "values" },
  { name: "down", rule: ORIGIN_FAULTS.down, expects: "errors", isSmall: true },
  { name: "hangs", rule: ORIGIN_FAULTS.hang, expects: "errors" },
  { name: "half a response", rule: ORIGIN_FAULTS.half, expects: "errors" },
  { name: "endless response", rule: ORIGIN_FAULTS.endless, expects: "errors" },
  { name: "response that drips", rule: ORIGIN_FAULTS.drip, expects: "errors" },
  { name: "HTML with status 502", rule: () => ORIGIN_FAULTS.html(502), expects: "errors" },
  { name: "HTML with status 200", rule: () => ORIGIN_FAULTS.html(200), expects: "errors" },
  { name: "status 401", rule: () => ORIGIN_FAULTS.html(401), expects: "errors" },
  {
    name: "pruned fork block",
    rule: () => ORIGIN_FAULTS.refuse(24, "Block not found"),
    expects: "errors",
    isSmall: true,
  },
  {
    name: "internal errors",
    rule: () => ORIGIN_FAULTS.refuse(-32_603, "Internal error"),
    expects: "errors",
  },
  {
    name: "felts out of range",
    rule: () => everyResult((result) => (typeof result === "string" ? NO_FELT : { hash: NO_FELT })),
    expects: "errors",
    isSmall: true,
  },
  {
    name: "reorg, or another chain",
    rule: (other) => ({ lie: ({ honest }) => honest(other) }),
    expects: "errors",
    isSmall: true,
  },
  { name: "numbers", rule: () => everyResult(() => 7), expects: "errors" },
  { name: "null", rule: () => everyResult(() => null), expects: "errors" },
  { name: "lists", rule: () => everyResult(() => [[], {}]), expects: "errors" },
];
