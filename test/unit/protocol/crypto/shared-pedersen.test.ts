import { expect, test } from "bun:test";
import fc from "fast-check";
import { KernelError } from "#base/errors/index.ts";
import { bytesFromFelt } from "#base/primitives/index.ts";
import {
  createPedersenPage,
  runPedersenHelper,
  pedersenBatchBytes,
  SharedPedersen,
} from "#protocol/crypto/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Pairs that differ for each seed. */
function pairs(count: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(64 * count);
  for (let i = 0; i < 2 * count; i++) {
    bytes.set(bytesFromFelt((BigInt(seed) << 100n) + BigInt(i * i + 1)), 32 * i);
  }
  return bytes;
}

/** A worker thread that helps on a page. */
function helper(page: SharedArrayBuffer) {
  const worker = new Worker(
    new URL("../../../helpers/pedersen-helper.thread.ts", import.meta.url).href,
  );
  const said: string[] = [];
  const heard = { helps: Promise.withResolvers<void>(), done: Promise.withResolvers<void>() };
  worker.addEventListener("message", ({ data }: MessageEvent<"helps" | "done">) => {
    said.push(data);
    heard[data].resolve();
  });
  worker.postMessage(page);
  return { worker, said, helps: heard.helps.promise, done: heard.done.promise };
}

/** Counts around slices and parts. */
const SIZES = [0, 1, 127, 128, 129, 192, 200, 4095, 4096, 4097, 4224, 8200];

test("SharedPedersen without helpers computes the hashes of a batch", () => {
  const shared = new SharedPedersen(createPedersenPage());
  for (const [seed, size] of SIZES.entries()) {
    const bytes = pairs(size, seed);
    expect(shared.pairs(bytes)).toEqual(pedersenBatchBytes(bytes));
  }
});

test("SharedPedersen rejects half a pair, also in a large batch", () => {
  const shared = new SharedPedersen(createPedersenPage());
  for (const size of [32, 64 * 300 + 32]) {
    expect(() => shared.pairs(new Uint8Array(size))).toThrow(KernelError);
  }
});

test("helpers do not change the hashes of SharedPedersen and end when it is closed", async () => {
  const page = createPedersenPage();
  const shared = new SharedPedersen(page);
  const helpers = [helper(page), helper(page)];
  // No helper has loaded yet.
  const early = pairs(700, 99);
  expect(shared.pairs(early)).toEqual(pedersenBatchBytes(early));
  await Promise.all(helpers.map(({ helps }) => helps));
  let seed = 0;
  assertProperty(
    fc.property(fc.oneof(fc.nat(600), fc.constantFrom(...SIZES)), (size) => {
      const bytes = pairs(size, ++seed);
      const hashes = shared.pairs(bytes);
      expect(Buffer.compare(hashes, pedersenBatchBytes(bytes))).toBe(0);
    }),
    { numRuns: 50 },
  );
  shared.close();
  await Promise.all(helpers.map(({ done }) => done));
  for (const { worker } of helpers) worker.terminate();
});

test("results of SharedPedersen are not overwritten by later calls", () => {
  const shared = new SharedPedersen(createPedersenPage());
  const [first, second] = [pairs(300, 1), pairs(300, 2)];
  const hashes = shared.pairs(first);
  shared.pairs(second);
  expect(hashes).toEqual(pedersenBatchBytes(first));
});

test("runPedersenHelper does not hash a slice of an earlier job", () => {
  const page = createPedersenPage();
  const control = new Int32Array(page, 0, 16);
  const [JOB, NEXT, LIMIT, PAIRS, DONE] = [0, 1, 2, 3, 4];
  // Job 5 is active; the helper has a number of job 4.
  control.set([(4 << 12) | 1, (5 << 12) | 3, 192], NEXT);
  control[JOB] = -1;
  runPedersenHelper(page);
  expect([control[PAIRS], control[DONE]]).toEqual([192, 0]);
  control[NEXT] = (5 << 12) | 1;
  runPedersenHelper(page);
  expect([control[LIMIT], control[DONE]]).toEqual([(5 << 12) | 3, 2]);
});

test("a helper of a closed SharedPedersen ends immediately", async () => {
  const page = createPedersenPage();
  new SharedPedersen(page).close();
  const late = helper(page);
  await late.done;
  expect(late.said).toEqual(["helps", "done"]);
  late.worker.terminate();
});
