import { describe, expect, test } from "bun:test";
import { FakeL1, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import {
  errorResponse,
  L1_FAULTS,
  type L1Rule,
  type RawLog,
  resultResponse,
} from "#test/helpers/l1-proxy.ts";
import { sameChain } from "#test/helpers/l1-source.ts";

describe("with two endpoints", () => {
  test("logs that one omits count if its own receipts contain them", async () => {
    const l1 = new FakeL1(10);
    l1.mine(5, [messageLog({ nonce: 0n }), stateUpdateLog(1n, 2n, 3n)]);
    for (const liar of [0, 1]) {
      const { world } = await sameChain(l1, 2);
      await using _ = world;
      world.proxies[liar]?.add(L1_FAULTS.omitLogs((_log, index) => index === 0));
      const logs = await world.source.view(2, (view) => view.logs(0, view.block.number));
      expect(logs).toHaveLength(2);
      expect(world.reports.at(-1)).toContain(`${liar} left: `);
      expect(world.reports.at(-1)).toContain("that its own receipts contain");
    }
  });

  const receipts: Readonly<Record<string, L1Rule>> = {
    "denies in its receipts": {
      methods: ["eth_getTransactionReceipt"],
      lie: () => resultResponse({ logs: [] }),
    },
    "does not know the transactions of": {
      methods: ["eth_getTransactionReceipt"],
      lie: () => resultResponse(null),
    },
    "gives no receipts of": {
      methods: ["eth_getTransactionReceipt"],
      lie: () => errorResponse(-32_601, "no such method"),
    },
    "has others in receipts of": {
      methods: ["eth_getTransactionReceipt"],
      lie: async ({ result }) => {
        const { logs } = await result<{ readonly logs: readonly RawLog[] }>();
        const changed = logs.map((log) => ({ ...log, data: log.data.replace(/1(?=0{64}$)/, "2") }));
        return resultResponse({ logs: changed });
      },
    },
  };
  for (const [what, rule] of Object.entries(receipts)) {
    test(`logs that one omits and ${what} count only when both report them`, async () => {
      const l1 = new FakeL1(10);
      l1.mine(5, [messageLog({ nonce: 0n })]);
      const { world } = await sameChain(l1, 2);
      await using _ = world;
      world.proxies[0]?.add(L1_FAULTS.omitLogs());
      world.proxies[0]?.add(rule);
      const read = () => world.source.view(2, (view) => view.logs(0, view.block.number));
      expect(read()).rejects.toMatchObject({ code: "L1_CONTRADICTION", retryable: true });
      await read().catch(() => undefined);
      world.proxies[0]?.honest();
      expect(await read()).toHaveLength(1);
    });
  }

  test("logs that one invents do not count", async () => {
    const l1 = new FakeL1(10);
    l1.mine(5, [messageLog({ nonce: 0n })]);
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    world.proxies[0]?.add({
      methods: ["eth_getLogs"],
      lie: async ({ result }) => {
        const logs = await result<readonly RawLog[]>();
        const { topics, data } = messageLog({ nonce: 1n });
        return resultResponse(
          logs.flatMap((log) => [log, { ...log, topics, data, logIndex: "0x5" }]),
        );
      },
    });
    const read = world.source.view(2, (view) => view.logs(0, view.block.number));
    expect(read).rejects.toMatchObject({ code: "L1_CONTRADICTION", retryable: true });
    await read.catch(() => undefined);
  });
});
