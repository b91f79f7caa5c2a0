import { expect, test } from "bun:test";
import { TextRoom } from "#services/sync/text-room.ts";
import { createRandom } from "#test/helpers/random.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";

const MAX = 1_000;

test("bounds the bytes of texts being checked, and checks each text", async () => {
  const random = createRandom(20_261_123);
  const room = new TextRoom(MAX);
  let held = 0;
  let most = 0;
  let fetched = 0;
  const turn = (): Promise<void> => new Promise((next) => void setImmediate(next));
  const results = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const sizeBytes = 1 + random.below(MAX);
      return room.use(
        async () => {
          fetched++;
          for (let turns = random.below(5); turns > 0; turns--) await turn();
          return new Uint8Array(sizeBytes);
        },
        async (text) => {
          held += text.length;
          most = Math.max(most, held);
          for (let turns = random.below(5); turns > 0; turns--) await turn();
          held -= text.length;
          return i;
        },
      );
    }),
  );
  expect(results).toEqual(Array.from({ length: 200 }, (_, i) => i));
  expect(most).toBeGreaterThan(MAX / 2);
  expect(most).toBeLessThanOrEqual(MAX);
  // A text that had to wait is fetched only once more.
  expect(fetched).toBeLessThanOrEqual(400);
  expect(room.heldBytes).toBe(0);
});

test("checks a text above the limit alone", async () => {
  const room = new TextRoom(MAX);
  const ended = Promise.withResolvers<void>();
  const order: string[] = [];
  const use = (name: string, sizeBytes: number) =>
    room.use(
      () => Promise.resolve(new Uint8Array(sizeBytes)),
      async () => {
        order.push(name);
        await ended.promise;
      },
    );
  const all = [use("small", 10), use("huge", 5 * MAX), use("after", 10)];
  await new Promise((next) => void setImmediate(next));
  expect(order).toEqual(["small", "after"]);
  ended.resolve();
  await Promise.all(all);
  expect(order).toEqual(["small", "after", "huge"]);
  expect(room.heldBytes).toBe(0);
});

test("releases the bytes of failed and missing texts", async () => {
  const room = new TextRoom(MAX);
  const text = () => Promise.resolve(new Uint8Array(MAX));
  const failing = () => Promise.reject(new RangeError("no"));
  expect(room.use(text, failing)).rejects.toThrow("no");
  expect(room.use(failing, () => Promise.resolve(1))).rejects.toThrow("no");
  expect(await room.use(() => Promise.resolve(undefined), failing)).toBeUndefined();
  expect(await room.use(text, () => Promise.resolve(1))).toBe(1);
  expect(room.heldBytes).toBe(0);
});

test("reserves the new size of a text that grew when fetched again", async () => {
  const room = new TextRoom(MAX);
  const ended = Promise.withResolvers<void>();
  const first = room.use(
    () => Promise.resolve(new Uint8Array(600)),
    () => ended.promise,
  );
  let size = 450;
  const second = room.use(
    () => Promise.resolve(new Uint8Array((size += 50))),
    () => Promise.resolve(room.heldBytes),
  );
  await new Promise((next) => void setImmediate(next));
  ended.resolve();
  await first;
  expect(await second).toBe(550);
  expect(room.heldBytes).toBe(0);
});

test("bounds a follower whose verifier is slow", async () => {
  const chain = new SourceChain().grow(40);
  const maxBytes = 600;
  const world = await syncWorld(chain, {
    // Blocks were short so far: all of them are requested.
    settings: { pipeline: { maxBlocks: 32, maxBytes: 64 << 20 }, maxTextBytes: maxBytes },
  });
  const { checkBlock } = world.verifier;
  let held = 0;
  let most = 0;
  world.verifier.checkBlock = async (request) => {
    const { length } = request.text;
    held += length;
    most = Math.max(most, held);
    await new Promise<void>((next) => void world.timer.after(100, next));
    held -= length;
    return checkBlock.call(world.verifier, request);
  };
  expect(await world.until(() => world.latest() === 39, 60_000, 100)).toBe(true);
  expect(most).toBeLessThanOrEqual(maxBytes);
  expect(most).toBeGreaterThan(maxBytes / 2);
  await world.close();
});
