import { expect, test } from "bun:test";
import fc from "fast-check";
import { L1Error } from "#base/errors/index.ts";
import type { CoreContractLog } from "#io/l1/index.ts";
import { FakeL1, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { L1_FAULTS, type L1Proxy } from "#test/helpers/l1-proxy.ts";
import { l1SourceWorld } from "#test/helpers/l1-source.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Failures that any endpoint may have and that end with the step. */
const FAILURES = {
  down: (proxy: L1Proxy) => proxy.add(L1_FAULTS.down()),
  "returns invalid responses": (proxy: L1Proxy) => proxy.add(L1_FAULTS.nonsense()),
  "truncates responses": (proxy: L1Proxy) => proxy.add(L1_FAULTS.half()),
} as const;

/** Faults of the first endpoint in a step; the others are honest meanwhile. */
const LIES = {
  nothing: () => undefined,
  throttles: (proxy: L1Proxy) => proxy.add(L1_FAULTS.throttle("3600")),
  "serves another chain": (proxy: L1Proxy) => proxy.add(L1_FAULTS.otherChain(1)),
  "omits all logs": (proxy: L1Proxy) => proxy.add(L1_FAULTS.omitLogs()),
  "omits some logs": (proxy: L1Proxy) => proxy.add(L1_FAULTS.omitLogs((_, i) => i % 2 === 0)),
  "lags behind": (proxy: L1Proxy, l1: FakeL1) =>
    proxy.add(L1_FAULTS.staleHead(Math.max(0, l1.head.number - 9))),
  "is on a fork": (proxy: L1Proxy, l1: FakeL1) => {
    const fork = l1.fork();
    fork.reorg(6);
    fork.mine(4, [messageLog({ nonce: 99n })]);
    proxy.add({ lie: ({ call: { method, params } }) => said(fork.answer(method, params)) });
  },
} as const;

function said(result: unknown) {
  return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: "2.0", id: 1, result }) };
}

const steps = fc.array(
  fc.record({
    deed: fc.oneof(
      fc.record({ by: fc.constant(0), does: fc.constantFrom(...Object.values(LIES)) }),
      fc.record({ by: fc.nat(2), does: fc.constantFrom(...Object.values(FAILURES)) }),
    ),
    mined: fc.nat(4),
    messages: fc.nat(2),
    update: fc.boolean(),
    passedMs: fc.constantFrom(0, 2000, 60_000),
  }),
  { minLength: 3, maxLength: 10 },
);

const DEPTH = 2;

/** Logs of the honest chain, read with a separate source. */
async function truth(l1: FakeL1, to: number): Promise<readonly CoreContractLog[]> {
  await using world = await l1SourceWorld([l1]);
  return await world.source.view(0, (view) => view.logs(0, to));
}

test("one faulty endpoint of three neither changes what is read nor stops it", async () => {
  await assertProperty(
    fc.asyncProperty(steps, async (plan) => {
      const l1 = new FakeL1(12);
      const timer = new FakeTimer();
      await using world = await l1SourceWorld([l1, l1, l1], { timer });
      await world.source.chainId();
      let nonce = 0n;
      let newest = 0;
      for (const { deed, mined, messages, update, passedMs } of plan) {
        const logs = Array.from({ length: messages }, () => messageLog({ nonce: nonce++ }));
        l1.mine(mined + 1, update ? [...logs, stateUpdateLog(1n, 2n, 3n)] : logs);
        for (const proxy of world.proxies) proxy.honest();
        const proxy = world.proxies[deed.by];
        if (proxy !== undefined) deed.does(proxy, l1);
        timer.advance(passedMs);
        const read = world.source.view(DEPTH, async (view) => ({
          block: view.block,
          logs: await view.logs(0, view.block.number),
        }));
        const outcome = await read.catch((cause: unknown) => cause);
        // Endpoints queried at different times may differ; then the step fails and is retried.
        if (outcome instanceof L1Error) {
          expect(outcome.retryable).toBe(true);
          continue;
        }
        const { block, logs: found } = outcome as Awaited<typeof read>;
        expect(block.hash).toBe(BigInt(l1.block(block.number).hash));
        expect(block.number).toBeGreaterThanOrEqual(newest);
        newest = block.number;
        expect(found).toEqual(await truth(l1, block.number));
      }
      for (const proxy of world.proxies) proxy.honest();
      timer.advance(300_000);
      await world.source.view(DEPTH, async () => undefined).catch(() => undefined);
      await Bun.sleep(20);
      const last = await world.source.view(DEPTH, async ({ block }) => block.number);
      expect(last).toBe(l1.head.number - DEPTH);
    }),
    { numRuns: 40, minRuns: 5 },
  );
});
