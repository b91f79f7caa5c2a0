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

/** Returns the id of a sequencer of tests, or of its run, from a name: 32 hexadecimal digits. */
export const instanceOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(32, "0");

/** Record of a leading sequencer `a`, with some members replaced. */
export function leaderRecord(parts: Partial<LeaderRecord> = {}): LeaderRecord {
  return {
    epoch: 1,
    instance: instanceOf("a"),
    run: instanceOf("run a"),
    counter: 1,
    newestBlock: 0,
    gatewayUrl: "http://127.0.0.1:1",
    hasStopped: false,
    ...parts,
  };
}

/** Writes a leader record, replacing any other. */
export function writeLeader(store: MemoryObjectStore, parts: Partial<LeaderRecord> = {}): void {
  store.objects.set(LEADER, encodeLeader(leaderRecord(parts)));
}

/** The leader record; `undefined` if there was no leader yet. */
export function storedLeader(store: MemoryObjectStore): LeaderRecord | undefined {
  const bytes = store.objects.get(LEADER);
  return bytes && decodeLeader(bytes);
}

/** Advances a clock in small steps, and runs the effects of each step before the next. */
export async function pass(timer: FakeTimer & Timer, forMs: number, stepMs = 100): Promise<void> {
  await settle();
  for (let leftMs = forMs; leftMs > 0; leftMs -= stepMs) {
    timer.advance(Math.min(stepMs, leftMs));
    await settle();
  }
}
