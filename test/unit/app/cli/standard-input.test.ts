import { expect, test } from "bun:test";
import { readStandardInput } from "#app/cli/standard-input.ts";
import { ConfigError, NodeError } from "#base/errors/index.ts";

const MIB = new Uint8Array(1024 * 1024).fill(0x20);
const never = new AbortController().signal;

/** A stream of equal chunks; `state` counts them and records a cancellation. */
function chunks(chunk: Uint8Array, count: number) {
  const state = { given: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.given++ < count) controller.enqueue(chunk);
      else controller.close();
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { state, input: () => stream };
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

test("decodes characters that span chunks", async () => {
  const bytes = new TextEncoder().encode("chain_name: Kettë\n");
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await readStandardInput(() => stream, never)).toBe("chain_name: Kettë\n");
});

test("reads 64 MiB and refuses one byte more", async () => {
  expect(await readStandardInput(chunks(MIB, 64).input, never)).toHaveLength(64 * 1024 * 1024);
  const error = await thrownBy(readStandardInput(chunks(MIB, 65).input, never));
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain("longer than 64 MiB");
}, 30_000);

test("cancels an endless stream, which would keep the process alive", async () => {
  const { state, input } = chunks(MIB, Number.POSITIVE_INFINITY);
  expect(await thrownBy(readStandardInput(input, never))).toBeInstanceOf(ConfigError);
  expect(state.isCancelled).toBe(true);
  expect(state.given).toBeLessThan(70);
}, 30_000);

test("stops waiting for a silent stream on abort", async () => {
  let isCancelled = false;
  const silent = new ReadableStream<Uint8Array>({
    cancel() {
      isCancelled = true;
    },
  });
  const stop = new AbortController();
  const reading = thrownBy(readStandardInput(() => silent, stop.signal));
  stop.abort();
  expect(await reading).toBeInstanceOf(NodeError);
  expect(isCancelled).toBe(true);
  const late = thrownBy(readStandardInput(() => new ReadableStream(), stop.signal));
  expect(await late).toBeInstanceOf(NodeError);
});

test("rejects bytes that are not UTF-8, and a stream that fails", async () => {
  const errors = await Promise.all([
    thrownBy(readStandardInput(chunks(Uint8Array.of(0xff), 1).input, never)),
    thrownBy(
      readStandardInput(
        () =>
          new ReadableStream<Uint8Array>({
            pull: (controller) => controller.error(Object.assign(new TypeError(), { code: "EIO" })),
          }),
        never,
      ),
    ),
  ]);
  for (const error of errors) expect(error).toBeInstanceOf(ConfigError);
  expect(errors.map(String)).toEqual([
    expect.stringContaining("is not UTF-8 text"),
    expect.stringContaining("cannot be read (EIO)"),
  ]);
});
