import { createRandom, type Random } from "../random.ts";

/** A kind of request of S3. */
export type StoreMethod = "GET" | "PUT" | "DELETE" | "LIST";

/** What else happens than an honest answer. In JSON, so that it can be told to another process. */
export interface StoreRule {
  /** Which requests; left out: all. */
  readonly methods?: readonly StoreMethod[];
  /** Begin of the keys, below the store's prefix or not: `blocks/` is found anywhere; left out: all. */
  readonly keys?: string;
  /** Share of the requests that it happens to, from 0 to 1; left out: all. */
  readonly rate?: number;
  /** How often; left out: until other rules are given. */
  readonly times?: number;
  /** Waits before anything else, milliseconds. */
  readonly beforeMs?: number;
  /** Waits between the effect and the answer, milliseconds. */
  readonly afterMs?: number;
  /**
   * - a status: refused, without an effect;
   * - `down`: the connection is cut, without an effect;
   * - `lost`: it has its effect, and the connection is cut in the place of an answer;
   * - `silent`: it has no effect, and is never answered;
   * - `forgotten`: it is answered as always, and a put stores nothing;
   * - left out: it is answered as always.
   */
  readonly fault?:
    307 | 403 | 409 | 412 | 429 | 500 | 503 | 507 | "down" | "lost" | "silent" | "forgotten";
}

/**
 * What a store does about `If-None-Match` and `If-Match`: keeps them; never looks at them; or looks, and
 * writes a while later.
 */
export type ConditionKeeping = "kept" | "ignored" | "twoSteps";

/** How a store misbehaves. */
export interface StoreFaults {
  /** Of the choices that {@link StoreRule.rate} leaves open. */
  readonly seed?: number;
  /** The first that applies to a request is used. */
  readonly rules?: readonly StoreRule[];
  /** Left out: kept. */
  readonly conditions?: ConditionKeeping;
}

/** Faults in force. */
export class FaultsInForce {
  conditions: ConditionKeeping = "kept";
  #rules: { readonly rule: StoreRule; left: number }[] = [];
  #random: Random = createRandom(1);

  set({ seed = 1, rules = [], conditions = "kept" }: StoreFaults): void {
    this.#random = createRandom(seed);
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Infinity }));
    this.conditions = conditions;
  }

  /** What happens to a request, if anything does. */
  use(method: StoreMethod, key: string): StoreRule | undefined {
    for (const each of this.#rules) {
      const { methods, keys = "", rate = 1 } = each.rule;
      const isOne = each.left > 0 && (methods?.includes(method) ?? true) && key.includes(keys);
      if (isOne && this.#random.below(1_000_000) < rate * 1_000_000) {
        each.left--;
        return each.rule;
      }
    }
    return undefined;
  }
}
