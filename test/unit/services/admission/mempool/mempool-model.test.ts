import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  Mempool,
  type MempoolEntry,
  type MempoolLimits,
} from "#services/admission/mempool/index.ts";
import { MEMPOOL_LIMITS } from "#test/helpers/mempool-entry.ts";
import { NaiveMempool } from "#test/helpers/naive-mempool.ts";
import { assertProperty } from "#test/helpers/property.ts";

const RUNS = 10_000;

/** Index of no transaction. */
const NONE = 99;

const SENDERS = [1n, 2n, 3n];

type Action =
  | {
      readonly kind: "add";
      readonly sender: number;
      readonly gap: number;
      readonly tip: number;
      readonly price: number;
      readonly size: number;
      readonly declare: boolean;
    }
  | { readonly kind: "repeat"; readonly which: number }
  | { readonly kind: "take"; readonly max: number }
  | { readonly kind: "settle"; readonly full: boolean; readonly rejected: number }
  | { readonly kind: "commit" }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "restart"; readonly limits: MempoolLimits; readonly alone: number };

const small = (max: number, min = 0) => fc.integer({ min, max });

const limits: fc.Arbitrary<MempoolLimits> = fc
  .record({
    maxTransactions: small(8, 1),
    maxBytes: small(40, 8),
    maxTransactionsPerAccount: small(5, 1),
    maxBytesPerAccount: small(24, 4),
    maxDeclareTransactions: small(2, 1),
    ttlMs: fc.constantFrom(null, 20, 60),
    minTipBump: fc.constant(0.5),
    fullPolicy: fc.constantFrom("reject_new", "evict_less_desirable"),
    order: fc.constantFrom("tip", "timestamp"),
  })
  .map((drawn) => ({ ...MEMPOOL_LIMITS, ...drawn }));

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      sender: small(SENDERS.length - 1),
      gap: small(5, -1),
      tip: small(4),
      price: small(4),
      size: small(9),
      declare: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeat" as const), which: small(99) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("take" as const), max: small(4, 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      full: fc.boolean(),
      rejected: fc.oneof(small(2), fc.constant(NONE)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("commit" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: small(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("restart" as const), limits, alone: small(9) }),
  },
);

/** Mempool with a minimal chain, executor and durable store around it. */
class World {
  pool: Mempool;
  model: NaiveMempool;
  /** Nonces after execution, and after commit. */
  readonly #pending = new Map<bigint, bigint>();
  #committed = new Map<bigint, bigint>();
  #stored: MempoolEntry[] = [];
  #uncommitted = new Set<bigint>();
  #batches: MempoolEntry[][] = [];
  #nowMs = 0;
  #nextHash = 1n;

  constructor(first: MempoolLimits) {
    this.pool = new Mempool(first);
    this.model = new NaiveMempool(first);
  }

  run(action: Action): void {
    switch (action.kind) {
      case "add": {
        const sender = SENDERS[action.sender] ?? 1n;
        const nonce = this.pool.nextNonce(sender, this.#nonceOf(sender)) + BigInt(action.gap);
        this.#add({
          hash: this.#nextHash++,
          sender,
          nonce: nonce < 0n ? 0n : nonce,
          tip: BigInt(action.tip),
          maxL2GasPrice: BigInt(action.price),
          maxFee: 0n,
          gasLimit: 0n,
          kind: action.declare ? "DECLARE" : "INVOKE",
          receivedAtMs: this.#nowMs,
          // The class of a declaration counts like the transaction itself.
          bytes: new Uint8Array(action.declare ? action.size % 3 : action.size),
          ...(action.declare ? { classSizeBytes: action.size - (action.size % 3) } : {}),
        });
        break;
      }
      case "repeat": {
        const old = this.#stored[action.which % Math.max(1, this.#stored.length)];
        if (old !== undefined && !this.#uncommitted.has(old.hash)) this.#add(old);
        break;
      }
      case "take": {
        const taken = this.pool.take(action.max);
        expect(taken).toEqual(this.model.take(action.max));
        if (taken.length > 0) this.#batches.push(taken);
        break;
      }
      case "settle":
        this.#settle(this.#batches.shift() ?? [], action);
        break;
      case "commit":
        this.#stored = this.#stored.filter(({ hash }) => !this.#uncommitted.has(hash));
        this.#uncommitted.clear();
        this.#committed = new Map(this.#pending);
        break;
      case "pass": {
        this.#nowMs += action.ms;
        const expired = this.pool.expire(this.#nowMs);
        const byHash = (a: MempoolEntry, b: MempoolEntry) => Number(a.hash - b.hash);
        expect(expired.sort(byHash)).toEqual(this.model.expire(this.#nowMs).sort(byHash));
        this.#forget(expired);
        break;
      }
      case "restart":
        this.#restart(action.limits, action.alone);
        break;
    }
    this.#check();
  }

  /** Executes and commits until nothing executable is left. */
  drain(): void {
    for (let left = this.#stored.length + 1; left > 0; left--) {
      while (this.#batches.length > 0) this.run({ kind: "settle", full: false, rejected: NONE });
      this.run({ kind: "take", max: 3 });
    }
    expect(this.pool.inFlightSize).toBe(0);
    for (const { entry } of this.model.waiting) {
      const expected = this.#nonceOf(entry.sender);
      // Every remaining entry waits for a missing nonce.
      expect(entry.nonce).toBeGreaterThan(expected);
      expect(this.pool.nextNonce(entry.sender, expected)).toBe(expected);
    }
  }

  #add(entry: MempoolEntry): void {
    const accountNonce = this.#nonceOf(entry.sender);
    const before = this.pool.check(entry, accountNonce);
    const outcome = this.pool.add(entry, accountNonce);
    expect(outcome).toEqual(this.model.add(entry, accountNonce));
    if (before !== undefined) expect(outcome).toEqual(before);
    if (outcome.kind !== "added") return;
    this.#stored.push(entry);
    this.#forget(outcome.dropped.map((dropped) => dropped.entry));
  }

  /** Executes a batch as the sequencer does; the transaction at index `rejected` is rejected. */
  #settle(batch: readonly MempoolEntry[], how: { full: boolean; rejected: number }): void {
    const fitting = how.full ? Math.floor(batch.length / 2) : batch.length;
    const requeued: bigint[] = [];
    for (const [index, entry] of batch.entries()) {
      const expected = this.#nonceOf(entry.sender);
      if (index >= fitting || entry.nonce > expected) requeued.push(entry.hash);
      else if (index === how.rejected) {
        this.pool.settleRejected(entry.hash);
        this.model.settle(entry.hash, "rejected");
        this.#forget([entry]);
      } else {
        expect(entry.nonce).toBe(expected);
        this.#pending.set(entry.sender, expected + 1n);
        this.pool.settleIncluded(entry.hash);
        this.model.settle(entry.hash, "included");
        this.#uncommitted.add(entry.hash);
      }
    }
    this.pool.requeue(requeued);
    for (const hash of requeued) this.model.settle(hash, "given_back");
  }

  #restart(next: MempoolLimits, alone: number): void {
    this.#pending.clear();
    for (const [sender, nonce] of this.#committed) this.#pending.set(sender, nonce);
    this.#uncommitted.clear();
    this.#batches = [];
    this.pool = new Mempool(next);
    this.model = new NaiveMempool(next);
    for (const [index, entry] of this.#stored.entries()) {
      const outcome = this.pool.restore(entry, this.#nonceOf(entry.sender), index === alone);
      this.model.restore(entry, this.#nonceOf(entry.sender), index === alone);
      // Earlier transactions of the nonce were replaced or rejected, so no stored one is lost.
      expect(outcome).toEqual({ kind: "restored", replaced: undefined });
    }
  }

  #nonceOf(sender: bigint): bigint {
    return this.#pending.get(sender) ?? 0n;
  }

  #forget(entries: readonly MempoolEntry[]): void {
    const gone = new Set(entries.map(({ hash }) => hash));
    this.#stored = this.#stored.filter(({ hash }) => !gone.has(hash));
  }

  #check(): void {
    expect([this.pool.size, this.pool.bytes, this.pool.inFlightSize]).toEqual([
      this.model.waiting.length,
      this.model.bytes,
      this.model.inFlight.length,
    ]);
    for (const { hash } of this.#stored) {
      const isHere = this.#uncommitted.has(hash) || this.pool.find(hash) !== undefined;
      expect([hash, isHere]).toEqual([hash, true]);
    }
  }
}

test(`${RUNS} sequences of mempool operations match a naive model`, () => {
  assertProperty(
    fc.property(limits, fc.array(action, { maxLength: 40, size: "max" }), (first, actions) => {
      const world = new World(first);
      for (const next of actions) world.run(next);
      world.drain();
    }),
    { numRuns: RUNS },
  );
}, 300_000);
