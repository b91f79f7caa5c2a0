import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BlockInfo, emptyStateDiff, type ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type PendingDelta, PendingOverlay, type StateReader } from "#engine/state/index.ts";
import { RecentState } from "#engine/state/recent-state.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { assertProperty } from "#test/helpers/property.ts";

type Cells = ReadonlyMap<Felt, Felt>;

/** State in which every field at a key has the value of its cell, also the class hash. */
function stateOf(cells: Cells, asked: () => void): StateReader {
  const at = (key: Felt): Felt => {
    asked();
    return cells.get(key) ?? 0n;
  };
  return {
    storageAt: (_, key) => at(key),
    nonceAt: (address) => at(address),
    classHashAt: (address) => at(address),
    compiledClassHashOf: (classHash) => at(classHash),
    executableClass(classHash) {
      const value = at(classHash);
      return value === 0n ? undefined : executable(value);
    },
  };
}

function executable(classHash: Felt): ExecutableClass {
  const casm = { bytecode: [] } as unknown as NonNullable<ExecutableClass["casm"]>;
  return { classHash, casm, sierraVersion: [1, 7, 0], sierraProgramLength: 1, abiLength: 1 };
}

/** Accepted blocks with the state after each, and a count of the reads. */
class Blocks {
  readonly states: Cells[] = [new Map()];
  reads = 0;

  stateAt(number: number): StateReader {
    const cells = this.states[number] ?? new Map<Felt, Felt>();
    return stateOf(cells, () => {
      this.reads++;
    });
  }
}

function storageDiff(changes: Cells) {
  const diff = emptyStateDiff();
  if (changes.size > 0) diff.storageDiffs.set(1n, new Map(changes));
  return diff;
}

describe("RecentState", () => {
  test("reads each value once, also across blocks", () => {
    const blocks = new Blocks();
    blocks.states[0] = new Map([[5n, 50n]]);
    blocks.states[1] = new Map([[5n, 51n]]);
    const recent = new RecentState(blocks, 0);
    const readAll = () => {
      const state = recent.newest();
      const cells = [state.storageAt(1n, 5n), state.nonceAt(7n), state.classHashAt(8n)];
      return [...cells, state.executableClass(5n)?.classHash];
    };
    expect(readAll()).toEqual([50n, 0n, 0n, 50n]);
    expect(blocks.reads).toBe(4);
    recent.advance(1, [storageDiff(new Map([[5n, 51n]]))]);
    expect(readAll()).toEqual([51n, 0n, 0n, 50n]);
    expect(blocks.reads).toBe(4);
  });

  test("rereads values after a block with unknown changes and after a revert", () => {
    const blocks = new Blocks();
    blocks.states.push(new Map([[5n, 51n]]), new Map([[5n, 52n]]));
    const recent = new RecentState(blocks, 0);
    const read = () => [recent.newest().storageAt(1n, 5n), recent.newest().executableClass(5n)];
    expect(read()).toEqual([0n, undefined]);
    recent.advance(1, undefined);
    expect(read()).toEqual([51n, executable(51n)]);
    recent.advance(2, undefined);
    expect(read()).toEqual([52n, executable(51n)]);
    recent.reset(0);
    expect(read()).toEqual([0n, undefined]);
  });

  test("does not cache the absence of a class", () => {
    const blocks = new Blocks();
    blocks.states.push(new Map([[5n, 51n]]));
    const recent = new RecentState(blocks, 0);
    expect(recent.newest().executableClass(5n)).toBeUndefined();
    recent.advance(1, []);
    expect(recent.newest().executableClass(5n)?.classHash).toBe(51n);
  });

  test("keeps the view of earlier readers", () => {
    const blocks = new Blocks();
    blocks.states.push(new Map([[5n, 51n]]));
    const recent = new RecentState(blocks, 0);
    const before = recent.newest();
    expect(before.storageAt(1n, 5n)).toBe(0n);
    recent.advance(1, [storageDiff(new Map([[5n, 51n]]))]);
    expect([before.storageAt(1n, 5n), before.storageAt(1n, 6n)]).toEqual([0n, 0n]);
    expect(recent.newest().storageAt(1n, 5n)).toBe(51n);
  });
});

const info = (number: number): BlockInfo => {
  const price = { wei: 1n, fri: 2n };
  return {
    number,
    timestamp: 1_000 + number,
    sequencerAddress: 0x123n,
    gasPrices: { l1Gas: price, l1DataGas: price, l2Gas: price },
    l1DaMode: "BLOB",
    protocolVersion: "0.14.4",
  };
};

const keys = fc.integer({ min: 0, max: 5 }).map(BigInt);
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), key: keys }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("read" as const), key: keys }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("seal" as const), key: keys }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("accept" as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hold" as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unseen" as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset" as const), key: keys }) },
);

/** Chain on which blocks are built, with its expected contents in plain maps. */
class World {
  readonly blocks = new Blocks();
  readonly overlay: PendingOverlay;
  /** Newest accepted block. */
  base = 0;
  /** States after each pending block. */
  above: Map<Felt, Felt>[] = [];
  /** Sequence number of the next delta of the open block; `undefined` if no block is open. */
  #sequence: number | undefined;
  #next = 1n;
  /** Sealed states that are still in use, with their expected contents. */
  readonly held: { readonly state: StateReader; readonly cells: Cells }[] = [];

  constructor() {
    const chain = numberedChain(0, (number) => this.blocks.stateAt(number));
    this.overlay = new PendingOverlay({ ...chain, latestNumber: () => this.base });
  }

  top(): Cells {
    return this.above.at(-1) ?? (this.blocks.states[this.base] as Cells);
  }

  write(key: Felt, sealed: boolean): void {
    const value = this.#next++;
    if (this.#sequence === undefined) {
      this.above.push(new Map(this.top()));
      this.#sequence = 0;
    }
    this.above.at(-1)?.set(key, value);
    const blockNumber = this.base + this.above.length;
    const delta: PendingDelta = {
      blockNumber,
      sequence: this.#sequence,
      info: this.#sequence === 0 ? info(blockNumber) : null,
      transactions: [],
      receipts: [],
      diff: storageDiff(new Map([[key, value]])),
      classes: [],
      sealed,
    };
    this.overlay.apply(delta);
    this.#sequence = sealed ? undefined : this.#sequence + 1;
  }

  /** Accepts the lowest block if it is sealed. */
  accept(): void {
    const isSealed = this.above.length > 1 || this.#sequence === undefined;
    const lowest = isSealed ? this.above.shift() : undefined;
    if (lowest === undefined) return;
    this.base++;
    this.blocks.states[this.base] = new Map(lowest);
    this.overlay.accepted(this.base);
  }

  /** Accepts a block without deltas. */
  unseen(key: Felt): void {
    if (this.above.length > 0) return;
    this.blocks.states[this.base + 1] = new Map(this.top()).set(key, this.#next++);
    this.base++;
    this.overlay.accepted(this.base);
  }

  /** Starts a block on the newest sealed state. */
  hold(): void {
    if (this.#sequence !== undefined) return;
    this.held.push({ state: this.overlay.state(), cells: new Map(this.top()) });
  }

  /** Drops the pending blocks and reverts the newest accepted one. */
  reset(): void {
    this.above = [];
    this.#sequence = undefined;
    // States of reverted blocks are no longer in use.
    this.held.length = 0;
    if (this.base > 0) this.base--;
    this.overlay.reset();
  }
}

describe("PendingOverlay over RecentState", () => {
  test("agrees with chain and pending blocks after any sequence of changes", () => {
    assertProperty(
      fc.property(fc.array(steps, { maxLength: 120 }), (all) => {
        const world = new World();
        for (const { kind, key } of all) {
          if (kind === "read") {
            expect(world.overlay.state().storageAt(1n, key)).toBe(world.top().get(key) ?? 0n);
          } else if (kind === "accept") world.accept();
          else if (kind === "hold") world.hold();
          else if (kind === "unseen") world.unseen(key);
          else if (kind === "reset") world.reset();
          else world.write(key, kind === "seal");
          for (const { state, cells } of world.held) {
            expect(state.storageAt(1n, key)).toBe(cells.get(key) ?? 0n);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("shares cached values between an open block and the accepted state below it", () => {
    const world = new World();
    world.write(1n, true);
    const open = world.overlay.state();
    world.accept();
    expect([open.storageAt(1n, 1n), open.storageAt(1n, 2n)]).toEqual([1n, 0n]);
    const { reads } = world.blocks;
    expect([open.storageAt(1n, 2n), world.overlay.state().storageAt(1n, 2n)]).toEqual([0n, 0n]);
    expect(world.blocks.reads).toBe(reads);
  });
});
