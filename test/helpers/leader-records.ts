import type { Timer } from "#base/primitives/index.ts";
import {
  decodeLeader,
  encodeLeader,
  LEADER,
  type LeaderRecord,
} from "#services/replication/index.ts";
import { settle } from "./admission-world.ts";
import type { FakeTimer } from "./fake-timer.ts";
import type { MemoryObjectStore } from "./memory-object-store.ts";

/** The instance, or the run, of a sequencer of tests. */
export const instanceOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(32, "0");

/** A record of a sequencer `a` that leads, but for what is given. */
export function leaderRecord(given: Partial<LeaderRecord> = {}): LeaderRecord {
  return {
    epoch: 1,
    instance: instanceOf("a"),
    run: instanceOf("run a"),
    counter: 1,
    newestBlock: 0,
    gatewayUrl: "http://127.0.0.1:1",
    hasStopped: false,
    ...given,
  };
}

/** Writes who leads, whoever did before. */
export function writeLeader(store: MemoryObjectStore, given: Partial<LeaderRecord> = {}): void {
  store.objects.set(LEADER, encodeLeader(leaderRecord(given)));
}

/** Who leads; `undefined`: nobody has yet. */
export function storedLeader(store: MemoryObjectStore): LeaderRecord | undefined {
  const bytes = store.objects.get(LEADER);
  return bytes && decodeLeader(bytes);
}

/** Moves a clock on in small steps; what each of them leads to happens before the next one. */
export async function pass(timer: FakeTimer & Timer, forMs: number, stepMs = 100): Promise<void> {
  await settle();
  for (let leftMs = forMs; leftMs > 0; leftMs -= stepMs) {
    timer.advance(Math.min(stepMs, leftMs));
    await settle();
  }
}
