import { createRandom, type Random } from "../random.ts";

/** A kind of request of S3. */
export type StoreMethod = "GET" | "PUT" | "DELETE" | "LIST";

/** A fault, as JSON so that it can be sent to another process. */
export interface StoreRule {
  /** Affected requests; omitted for all. */
  readonly methods?: readonly StoreMethod[];
  /**
   * Prefix of the affected keys, with or without the store's prefix: `blocks/` matches in both
   * cases; omitted for all.
   */
  readonly keys?: string;
  /** Share of the affected requests, from 0 to 1; omitted for all. */
  readonly rate?: number;
  /** Maximum number of uses; omitted for no limit. */
  readonly times?: number;
  /** Delay before the request takes effect, in milliseconds. */
  readonly beforeMs?: number;
  /** Delay between the effect and the response, in milliseconds. */
  readonly afterMs?: number;
  /**
   * Kind of the fault:
   * - a status: rejected, without an effect;
   * - `down`: the connection is cut, without an effect;
   * - `lost`: it takes effect, and the connection is cut instead of a response;
   * - `silent`: it has no effect, and never gets a response;
   * - `forgotten`: it gets a normal response, and a put stores nothing;
   * - omitted: it gets a normal response.
   */
  readonly fault?:
    307 | 403 | 409 | 412 | 429 | 500 | 503 | 507 | "down" | "lost" | "silent" | "forgotten";
}

/**
 * Handling of `If-None-Match` and `If-Match` in a store: respects them; ignores them; or checks
 * them, and writes a while later.
 */
export type ConditionKeeping = "kept" | "ignored" | "twoSteps";

/** Faults of a store. */
export interface StoreFaults {
  /** Seed of the choices for {@link StoreRule.rate}. */
  readonly seed?: number;
  /** The first matching rule applies. */
  readonly rules?: readonly StoreRule[];
  /** Default: kept. */
  readonly conditions?: ConditionKeeping;
}

/** Active faults. */
export class FaultsInForce {
  conditions: ConditionKeeping = "kept";
  #rules: { readonly rule: StoreRule; left: number }[] = [];
  #random: Random = createRandom(1);

  set({ seed = 1, rules = [], conditions = "kept" }: StoreFaults): void {
    this.#random = createRandom(seed);
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Infinity }));
    this.conditions = conditions;
  }

  /** Rule for a request, if any. */
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
