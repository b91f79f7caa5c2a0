import { expect, test } from "bun:test";
import type { L1View } from "#io/l1/index.ts";
import { type L1Alarm, MessageIndex, MessageWatch } from "#services/l1-watch/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { ModelChain } from "#test/helpers/l1-message-chain.ts";
import { SMALL_LIMITS } from "#test/helpers/l1-message-node.ts";
import { messageLog } from "#test/helpers/l1-message-model.ts";

const BLOCK = { number: 10, hash: 10n, parentHash: 9n, timestamp: 100 };
const SOUND = { feePlusOne: 2n, cancellationStarted: 0n };

/** A view of a block that has three messages. */
function viewOf(change: Partial<L1View> = {}): L1View {
  return {
    block: BLOCK,
    head: BLOCK,
    logs: () => Promise.resolve([]),
    hashOf: () => Promise.resolve(BLOCK.hash),
    coreState: () => Promise.resolve({ stateRoot: 0n, blockNumber: -1n, blockHash: 0n }),
    nextMessageNonce: () => Promise.resolve(3n),
    messages: (hashes) => Promise.resolve(hashes.map(() => SOUND)),
    ...change,
  };
}

const LOGS = [0n, 1n, 2n].map((nonce) => messageLog(nonce, [nonce], { number: 5, hash: 5n }));

/** A watch whose chain has executed the three messages, and whose reads use `asked`. */
async function watching(asked: { view: L1View; beforeAnswer?: () => void }) {
  const chain = new ModelChain();
  const alarms: L1Alarm[] = [];
  const watch = new MessageWatch({
    chain,
    chainId: 0x1234n,
    finality: 3,
    source: {
      async view(_, read) {
        const told = await read(asked.view);
        asked.beforeAnswer?.();
        return told;
      },
    },
    index: new MessageIndex(100),
    limits: SMALL_LIMITS,
    timer: new FakeTimer(),
    yieldToOthers: () => Promise.resolve(),
    execute: chain.execute,
    onAlarm: (alarm) => alarms.push(alarm),
    onEvent: () => undefined,
  });
  watch.begins(0);
  await watch.logs(LOGS, asked.view);
  await turns();
  return { chain, alarms, watch };
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => void setImmediate(resolve));
};

const behind = (next: bigint, change: Partial<L1View> = {}): L1View =>
  viewOf({ nextMessageNonce: () => Promise.resolve(next), ...change });

test("raises an alarm only after two responses without executed messages", async () => {
  const { chain, alarms, watch } = await watching({ view: viewOf() });
  chain.accept();
  watch.begins(0);
  await watch.step(behind(2n));
  expect(alarms).toEqual([]);
  await watch.step(viewOf()).catch(() => undefined);
  await watch.step(behind(2n)).catch(() => undefined);
  expect(alarms).toEqual([]);
  await watch.step(behind(2n)).catch(() => undefined);
  expect(alarms.map(({ kind }) => kind)).toEqual(["message_vanished"]);
});

test("ignores a view older than the previous one", async () => {
  const { watch } = await watching({ view: viewOf() });
  await watch.step(viewOf());
  let asked = 0;
  const older = viewOf({
    block: { ...BLOCK, number: 9 },
    nextMessageNonce: () => Promise.resolve(BigInt(asked++)),
  });
  await watch.step(older);
  expect(asked).toBe(0);
});

test("discards data read at a replaced block", async () => {
  const { watch, alarms, chain } = await watching({ view: viewOf() });
  chain.accept();
  const replaced = behind(2n, { hashOf: () => Promise.resolve(11n) });
  for (let i = 0; i < 3; i++) {
    expect(await watch.step(replaced).catch(({ code }: { code: string }) => code)).toBe(
      "L1_REPLACED",
    );
  }
  expect(alarms).toEqual([]);
});

test("reports a counter below the logs as a contradiction", async () => {
  const { watch } = await watching({ view: viewOf() });
  const code = await watch.step(behind(2n)).catch((error: { code: string }) => error.code);
  expect(code).toBe("L1_CONTRADICTORY");
});

test("does not execute a batch when it is reset while the batch is checked", async () => {
  const asked: { view: L1View; beforeAnswer?: () => void } = { view: viewOf() };
  let reset = (): void => undefined;
  asked.beforeAnswer = () => reset();
  const chain = new ModelChain();
  const watch = new MessageWatch({
    chain,
    chainId: 0x1234n,
    finality: 3,
    source: {
      async view(_, read) {
        const told = await read(asked.view);
        asked.beforeAnswer?.();
        return told;
      },
    },
    index: new MessageIndex(100),
    limits: SMALL_LIMITS,
    timer: new FakeTimer(),
    yieldToOthers: () => Promise.resolve(),
    execute: chain.execute,
    onAlarm: () => undefined,
    onEvent: () => undefined,
  });
  reset = () => watch.reset();
  watch.begins(0);
  await watch.logs(LOGS, asked.view);
  await turns();
  expect(chain.batches).toBe(0);
});

test("does not execute a message that a block included meanwhile", async () => {
  const { chain, watch } = await watching({ view: viewOf() });
  chain.accept();
  const { batches } = chain;
  watch.begins(0);
  await watch.logs(LOGS, viewOf());
  await turns();
  expect(chain.batches).toBe(batches);
});
