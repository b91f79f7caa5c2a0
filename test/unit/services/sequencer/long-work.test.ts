import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodedTransaction, type InvokeV3 } from "#protocol/chain/index.ts";
import { type Candidate, gasLimitOf, MAX_SMALL_GAS } from "#services/admission/index.ts";
import { heldBackMatcher } from "#services/admission/held-back.ts";
import { Mempool } from "#services/admission/mempool/index.ts";
import { BATCH_MS, LONG_MS, LongWork } from "#services/sequencer/long-work.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "#test/helpers/mempool-entry.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

const BLOCK_TIME_MS = 4_000;
const BATCH_SIZE = 64;
const SMALL = MAX_SMALL_GAS;
const LARGE = 1_000_000_000n;

interface Work {
  readonly sender: bigint;
  readonly gas: bigint;
  /** What it takes when it is executed. */
  readonly ms: number;
}

interface Done extends Work {
  readonly nonce: bigint;
  readonly endMs: number;
}

function candidateOf({ sender, gas }: Work, nonce: bigint): Candidate {
  const bound = { maxAmount: gas, maxPricePerUnit: 1n };
  const none = { maxAmount: 0n, maxPricePerUnit: 0n };
  const resourceBounds = { l1Gas: none, l1DataGas: none, l2Gas: bound };
  const transaction: InvokeV3 = { ...emptyInvoke(sender, nonce), resourceBounds };
  const hash = (sender << 32n) | nonce;
  return { transaction: encodedTransaction({ hash, transaction }), prevalidated: undefined };
}

/** A mempool and an executor whose time passes with what is executed. */
class World {
  readonly work: LongWork;
  readonly done: Done[] = [];
  readonly #waiting = new Map<bigint, { readonly candidate: Candidate; readonly work: Work }>();
  readonly #nonces = new Map<bigint, bigint>();
  readonly #pool = new Mempool({
    ...MEMPOOL_LIMITS,
    maxTransactions: 10_000,
    maxTransactionsPerAccount: 10_000,
    maxBytes: 1e9,
    maxBytesPerAccount: 1e9,
    ttlMs: null,
  });
  nowMs = 1_000_000;

  constructor(blockTimeMs = BLOCK_TIME_MS) {
    this.work = new LongWork(blockTimeMs);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  send(work: Work, count = 1): void {
    for (let i = 0; i < count; i++) {
      const nonce = this.#nonces.get(work.sender) ?? 0n;
      this.#nonces.set(work.sender, nonce + 1n);
      const candidate = candidateOf(work, nonce);
      const { hash, transaction } = candidate.transaction;
      const entry = mempoolEntry({
        hash,
        sender: work.sender,
        nonce,
        gasLimit: gasLimitOf(transaction),
        receivedAtMs: this.nowMs,
      });
      expect(this.#pool.add(entry, this.#accountNonceOf(work.sender)).kind).toBe("added");
      this.#waiting.set(hash, { candidate, work });
    }
  }

  /** Takes and executes one batch. @returns how many were executed */
  batch(): number {
    let heldBack = this.work.first(this.nowMs);
    let taken = this.#take(heldBack);
    while (taken.length === 0) {
      const other = this.work.next(this.nowMs);
      if (other === null) return 0;
      ({ heldBack } = other);
      taken = this.#take(heldBack);
    }
    this.work.received();
    return this.#execute(taken.map(({ hash }) => hash));
  }

  #accountNonceOf(sender: bigint): bigint {
    return BigInt(this.done.filter((one) => one.sender === sender).length);
  }

  #take(heldBack: ReturnType<LongWork["first"]>) {
    const isHeldBack = heldBackMatcher(heldBack);
    return this.#pool.take(BATCH_SIZE, (entry) => !isHeldBack(entry));
  }

  #execute(hashes: readonly bigint[]): number {
    const givenBack: bigint[] = [];
    let executed = 0;
    let goesOn = true;
    const stopped = new Set<bigint>();
    for (const hash of hashes) {
      const { candidate, work } = this.#waiting.get(hash) ?? { candidate: undefined };
      if (candidate === undefined || work === undefined) throw new RangeError("unknown");
      if (!goesOn || stopped.has(work.sender) || !this.work.mayGo(candidate, this.nowMs)) {
        stopped.add(work.sender);
        givenBack.push(hash);
        continue;
      }
      this.nowMs += work.ms;
      goesOn = this.work.executed(candidate, work.ms, this.nowMs);
      this.#waiting.delete(hash);
      this.#pool.settleIncluded(hash);
      this.done.push({ ...work, nonce: hash & 0xffffffffn, endMs: this.nowMs });
      executed++;
    }
    this.#pool.giveBack(givenBack);
    return executed;
  }
}

const transfer = (sender: bigint): Work => ({ sender, gas: SMALL, ms: 1 });
const long = (sender: bigint): Work => ({ sender, gas: LARGE, ms: 2_000 });
const ATTACKERS = [1n, 2n, 3n, 4n];

describe("long work", () => {
  test("is not known at first: a batch holds everything, and ends with a long one", () => {
    const world = new World();
    for (const sender of ATTACKERS) world.send(long(sender), 5);
    world.send(transfer(9n));
    expect(world.batch()).toBe(1);
    expect(world.done).toMatchObject([long(1n)]);
  });

  test("goes on when nothing else waits, other senders before one that was long", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 2);
    for (let i = 0; i < 4; i++) world.batch();
    expect(world.done.map(({ sender }) => sender)).toEqual(ATTACKERS);
    for (let i = 0; i < 4; i++) world.batch();
    expect(world.waiting).toBe(0);
  });

  test("lets a transfer wait for the one that runs, whoever else waits for how long", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 20);
    world.batch();
    for (let i = 0n; i < 20n; i++) {
      const sentAtMs = world.nowMs;
      world.batch();
      world.send(transfer(100n + i));
      world.batch();
      const last = world.done.at(-1);
      expect(last).toMatchObject(transfer(100n + i));
      expect((last?.endMs ?? 0) - sentAtMs).toBeLessThanOrEqual(2_001);
    }
    expect(world.done.filter(({ gas }) => gas === LARGE)).toHaveLength(21);
  });

  test("lets a sender with much gas and no debts wait for one more", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 20);
    for (let i = 0; i < 4; i++) world.batch();
    world.send({ sender: 9n, gas: LARGE, ms: 1 });
    world.batch();
    expect(world.done.at(-1)?.sender).toBe(9n);
  });

  test("goes on beside transfers without end", () => {
    const world = new World(4 * BLOCK_TIME_MS);
    world.send(long(1n), 3);
    world.batch();
    const startMs = world.nowMs;
    while (world.done.filter(({ sender }) => sender === 1n).length < 2) {
      world.send(transfer(9n), 100);
      world.batch();
      expect(world.nowMs - startMs).toBeLessThan(BLOCK_TIME_MS);
    }
  });

  test("takes half of a block's time, then waits for the next block", () => {
    const world = new World();
    for (const sender of ATTACKERS) world.send(long(sender), 5);
    expect([world.batch(), world.batch(), world.batch()]).toEqual([1, 0, 0]);
    world.send(transfer(9n));
    expect(world.batch()).toBe(1);
    expect(world.batch()).toBe(0);
    world.work.sealed();
    expect([world.batch(), world.batch()]).toEqual([1, 0]);
  });

  test("is also what many transactions of one sender come to", () => {
    const world = new World(Infinity);
    world.send({ sender: 1n, gas: LARGE, ms: LONG_MS - 1 }, 10);
    expect(world.batch()).toBe(2);
    world.send({ sender: 9n, gas: LARGE, ms: 1 });
    world.batch();
    expect(world.done.at(-1)?.sender).toBe(9n);
  });

  test("is not what many senders come to, whose batches end all the same", () => {
    const world = new World(Infinity);
    for (let sender = 1n; sender <= 10n; sender++) world.send({ sender, gas: LARGE, ms: 200 });
    expect(world.batch()).toBe(Math.ceil(BATCH_MS / 200));
    expect(world.work.first(world.nowMs)).toBeUndefined();
  });

  test("ends also a batch of everybody's turn", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send({ ...long(sender), ms: LONG_MS + 50 }, 5);
    for (let i = 0; i < 10; i++) expect(world.batch()).toBe(1);
  });

  test("keeps what a batch holds beside from being executed, save small ones", () => {
    const { work } = new World(Infinity);
    expect(work.first(0)).toBeUndefined();
    work.received();
    expect(work.mayGo(candidateOf(long(9n), 0n), 0)).toBe(true);
    work.executed(candidateOf(long(1n), 0n), 2_000, 0);
    expect(work.mayGo(candidateOf(long(9n), 0n), 0)).toBe(false);
    expect(work.mayGo(candidateOf(transfer(1n), 1n), 0)).toBe(true);
  });

  test("is no debt of a sender whose transactions have little gas", () => {
    const { work } = new World(Infinity);
    for (let nonce = 0n; nonce < 100n; nonce++)
      work.executed(candidateOf(transfer(1n), nonce), 9, 0);
    expect([work.first(0), work.next(0)]).toEqual([undefined, null]);
  });

  test("is forgotten in time", () => {
    const { work } = new World(Infinity);
    work.executed(candidateOf(long(1n), 0n), 2_000, 0);
    work.sealed();
    // Everybody's turn comes first, after so long.
    expect(work.first(17_499)).toBeUndefined();
    expect(work.first(17_499)).toEqual({ senders: null });
    expect(work.next(17_499)).toEqual({ heldBack: { senders: [1n] } });
    expect(work.next(17_499)).toEqual({ heldBack: undefined });
    expect(work.next(17_499)).toBeNull();
    expect([work.first(17_500), work.next(17_500)]).toEqual([undefined, null]);
  });

  test("however long, small or much: all of it is executed, each sender's by nonce", () => {
    const work = fc.record({
      sender: fc.bigInt({ min: 1n, max: 4n }),
      gas: fc.constantFrom(SMALL, LARGE),
      ms: fc.constantFrom(0, 1, 100, 249, 250, 3_000),
      batches: fc.nat(2),
    });
    assertProperty(
      fc.property(fc.array(work, { maxLength: 60 }), (works) => {
        const world = new World();
        for (const { batches, ...one } of works) {
          world.send(one);
          for (let i = 0; i < batches; i++) world.batch();
        }
        for (let i = 0; world.waiting > 0 && i < 200; i++) {
          if (world.batch() === 0) {
            world.work.sealed();
            world.nowMs += 250;
          }
        }
        expect(world.waiting).toBe(0);
        for (const sender of [1n, 2n, 3n, 4n]) {
          const nonces = world.done.filter((one) => one.sender === sender);
          expect(nonces.map(({ nonce }) => nonce)).toEqual(nonces.map((_, i) => BigInt(i)));
        }
      }),
    );
  });
});
