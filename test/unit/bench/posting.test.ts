import { expect, test } from "bun:test";
import { requestBytes } from "#test/bench/compare/connection.ts";
import { Posting } from "#test/bench/compare/posting.ts";
import type { PostOrder } from "#test/bench/compare/transfer-messages.ts";
import { createRandom } from "#test/helpers/random.ts";

const SENDERS = 10;

/**
 * Posts to a server that responds after a delay; reports the order of arrival and the outcome.
 */
async function posted(
  order: Partial<PostOrder>,
  answer: (i: number) => string = () => '{"result":{}}',
) {
  const came: number[] = [];
  const random = createRandom(7);
  let underWay = 0;
  let most = 0;
  using server = Bun.serve({
    port: 0,
    async fetch(request) {
      const i = Number(await request.text());
      came.push(i);
      most = Math.max(most, ++underWay);
      await Bun.sleep(random.below(4));
      underWay--;
      return new Response(answer(i));
    },
  });
  const memory = { pid: process.pid, mostResidentMiB: 1_000_000 };
  const posting = new Posting(
    {
      kind: "post",
      port: server.port ?? 0,
      ...{ from: 0, count: 100, connections: 4, perSecond: 0, memory },
      ...order,
    },
    SENDERS,
    (i) => ({ hash: `0x${i.toString(16)}`, request: requestBytes(String(i)) }),
  );
  const last = await posting.run();
  const seconds = (performance.now() - posting.startedMs) / 1000;
  return { came, last, most, seconds, report: posting.report() };
}

test("Posting sends each request once, in order per sender, over the configured connections", async () => {
  const { came, last, most, report } = await posted({ from: 37, count: 123 });
  const wanted = Array.from({ length: 123 }, (_, i) => 37 + i);
  expect(came.toSorted((a, b) => a - b)).toEqual(wanted);
  for (let sender = 0; sender < SENDERS; sender++) {
    const own = came.filter((i) => i % SENDERS === sender);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  expect(most).toBe(4);
  expect(report).toMatchObject({ posted: 123, refused: 0, error: "" });
  const lastOfSenders = Array.from({ length: SENDERS }, (_, i) => `0x${(150 + i).toString(16)}`);
  expect(last.toSorted()).toEqual(lastOfSenders.toSorted());
});

test("Posting over one connection sends one request at a time", async () => {
  const { came, most } = await posted({ count: 20, connections: 1 });
  expect(came).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(most).toBe(1);
});

test("Posting counts refusals and keeps the last text", async () => {
  const refuse = (i: number): string => (i % 2 === 0 ? '{"error":{"code":55}}' : '{"result":{}}');
  const { report } = await posted({ count: 10 }, refuse);
  expect(report).toMatchObject({ posted: 10, refused: 5, error: '{"error":{"code":55}}' });
});

test("Posting keeps to its rate", async () => {
  const { seconds, report } = await posted({ count: 40, perSecond: 200 });
  expect(report.posted).toBe(40);
  // The last request is due 195 ms after the first.
  expect(seconds).toBeGreaterThan(0.19);
});

test("Posting stops when the server exceeds its memory limit", async () => {
  const memory = { pid: process.pid, mostResidentMiB: 0 };
  const { came, report } = await posted({ count: 100_000, perSecond: 50, memory });
  expect(report.posted).toBe(came.length);
  expect(report.posted).toBeLessThan(1_000);
});
