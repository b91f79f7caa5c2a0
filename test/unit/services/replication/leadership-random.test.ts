import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRandom } from "#test/helpers/random.ts";
import { FakeSequencer, LeadershipWorld } from "#test/helpers/leadership-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** An event of one of the sequencers or the store. */
const event = fc.record({
  what: fc.constantFrom("kill", "pause", "cut", "heal", "store faults", "nothing"),
  who: fc.nat(2),
  forMs: fc.integer({ min: 100, max: 9_000 }),
});

/** Long enough for any silence, and for a second takeover. */
const CALM_MS = 30_000;

/** Names of the sequencers that replace ended ones. */
const nameOf = (seat: number, start: number): string => `${"abc"[seat] ?? ""}${start}`;

const isRising = (epochs: readonly number[]): boolean =>
  epochs.every((epoch, i) => epoch >= (epochs[i - 1] ?? 0));

test("epochs never fall, and eventually one sequencer leads and produces blocks, whatever happens", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 25 }),
      fc.nat(),
      async (events, seed) => {
        const random = createRandom(seed);
        const world = new LeadershipWorld();
        world.publish(0);
        let starts = 0;
        const seats = [new FakeSequencer(nameOf(0, starts++), false, world).lead(1, true)];
        const standby = (seat: number) =>
          new FakeSequencer(nameOf(seat, starts++), true, world).follow();
        await world.pass(1_000);
        seats.push(standby(1), standby(2));
        const failures: unknown[] = [];
        const settle = (): void => {
          for (const [seat, sequencer] of seats.entries()) {
            failures.push(...sequencer.failures);
            if (sequencer.hasEnded) seats[seat] = standby(seat);
          }
        };
        for (const { what, who, forMs } of events) {
          const sequencer = seats[who] as FakeSequencer;
          if (what === "kill") sequencer.kill();
          if (what === "pause") sequencer.pause();
          if (what === "cut") sequencer.isCut = true;
          if (what === "heal") {
            sequencer.resume();
            sequencer.isCut = false;
            world.store.fault = () => "none";
          }
          if (what === "store faults") {
            world.store.fault = () =>
              random.below(5) === 0
                ? ((["down", "lost", "conflict", "denied"] as const)[random.below(4)] ?? "none")
                : "none";
          }
          await world.pass(forMs, 250);
          settle();
        }
        world.store.fault = () => "none";
        for (const sequencer of seats) {
          sequencer.resume();
          sequencer.isCut = false;
        }
        await world.pass(1_000, 250);
        settle();
        await world.pass(CALM_MS, 250);
        settle();
        await world.pass(CALM_MS, 250);
        const before = world.epochs.length;
        await world.pass(3_000, 250);
        const states = seats.map(({ leadership }) => leadership.state).toSorted();
        expect(states).toEqual(["following", "following", "leading"]);
        expect(world.epochs.length).toBeGreaterThan(before);
        expect(isRising(world.epochs)).toBe(true);
        expect(failures).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);
