import { afterEach, describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import {
  AnsweringChannel,
  type OriginQuery,
  originQueryText,
  type OriginRequest,
} from "#io/origin/index.ts";
import type { Asked } from "#test/helpers/waiting.thread.ts";

const LONG_MS = 20_000;

const workers: Worker[] = [];
afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate();
});

function nonceOf(address: bigint): OriginQuery {
  return { kind: "nonce", block: 3, address };
}

/** Lets a thread ask queries; this thread answers them. */
async function askAll(
  queries: readonly OriginQuery[],
  answer: (query: OriginQuery) => Promise<Uint8Array | null>,
  { timeoutMs = LONG_MS, cancel = new SharedArrayBuffer(4) } = {},
): Promise<readonly Asked[]> {
  const url = new URL("../../../../helpers/waiting.thread.ts", import.meta.url).href;
  const worker = new Worker(url);
  workers.push(worker);
  const { port1, port2 } = new MessageChannel();
  const answering = new AnsweringChannel(
    { answer, keep: answer, knows: () => false },
    false,
    () => undefined,
  );
  port1.onmessage = ({ data }: { readonly data: OriginRequest }) => answering.receive(data);
  const { promise, resolve } = Promise.withResolvers<readonly Asked[]>();
  worker.onmessage = ({ data }: { readonly data: readonly Asked[] }) => resolve(data);
  worker.postMessage({ port: port2, queries, timeoutMs, cancel }, [port2]);
  const asked = await promise;
  port1.close();
  return asked;
}

describe("WaitingChannel", () => {
  test("returns each query's value in turn", async () => {
    const queries = Array.from({ length: 50 }, (_, i) => nonceOf(BigInt(i)));
    const asked = await askAll(queries, async (query) => Buffer.from(originQueryText(query)));
    expect(asked.map(({ value }) => Buffer.from(value ?? []).toString())).toEqual(
      queries.map(originQueryText),
    );
  });

  test("distinguishes an absent value from an empty one", async () => {
    const answer = async (query: OriginQuery) =>
      originQueryText(query) === originQueryText(nonceOf(1n)) ? null : new Uint8Array(0);
    const [absent, empty] = await askAll([nonceOf(1n), nonceOf(2n)], answer);
    expect(absent?.value).toBeNull();
    expect(empty?.value).toHaveLength(0);
  });

  test.each([256 << 10, (256 << 10) + 1, (256 << 10) * 3 + 7])(
    "returns a value of %i bytes whole",
    async (length) => {
      const value = Buffer.alloc(length).map((_, i) => (i * 31) & 0xff);
      const [asked] = await askAll([nonceOf(1n)], async () => value);
      expect(Buffer.from(asked?.value ?? []).equals(value)).toBeTrue();
    },
  );

  test("reports that the thread is alive while it waits", async () => {
    const [asked] = await askAll([nonceOf(1n)], async () => {
      await Bun.sleep(100);
      return new Uint8Array(1);
    });
    expect(asked?.value).toHaveLength(1);
    expect(asked?.beats).toBeGreaterThan(0);
  });

  test("passes on the error of the origin", async () => {
    const [asked] = await askAll([nonceOf(1n)], async () => {
      throw new OriginError("ORIGIN_REFUSED", "http://origin:1 refused", false);
    });
    expect(asked?.failure).toEqual({ code: "ORIGIN_REFUSED", message: "http://origin:1 refused" });
  });

  test("reports another error of the answering thread with its reason", async () => {
    const [asked] = await askAll([nonceOf(1n)], async () => {
      throw new RangeError("no such row");
    });
    expect(asked?.failure?.code).toBe("ORIGIN_FAILED");
    expect(asked?.failure?.message).toContain("no such row");
  });

  test("gives up after the deadline, and drops the late answer", async () => {
    const late = Promise.withResolvers<Uint8Array>();
    const answer = (query: OriginQuery): Promise<Uint8Array> => {
      if (originQueryText(query) === originQueryText(nonceOf(1n))) return late.promise;
      late.resolve(Buffer.from("late"));
      return Bun.sleep(50).then(() => Buffer.from("second"));
    };
    const asked = await askAll([nonceOf(1n), nonceOf(2n)], answer, { timeoutMs: 100 });
    expect(asked[0]?.failure?.code).toBe("ORIGIN_UNAVAILABLE");
    expect(asked[0]?.failure?.message).toContain(originQueryText(nonceOf(1n)));
    expect(Buffer.from(asked[1]?.value ?? []).toString()).toBe("second");
  });

  test("gives up when the work that needs the value is cancelled", async () => {
    const cancel = new SharedArrayBuffer(4);
    const never = new Promise<null>(() => undefined);
    const asking = askAll([nonceOf(1n)], () => never, { cancel });
    await Bun.sleep(50);
    Atomics.store(new Int32Array(cancel), 0, 1);
    const [asked] = await asking;
    expect(asked?.failure?.code).toBe("ORIGIN_UNAVAILABLE");
    expect(asked?.failure?.message).toContain("cancelled");
  });
});
