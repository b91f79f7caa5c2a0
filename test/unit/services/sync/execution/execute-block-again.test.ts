import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { constantsOf } from "#protocol/config/index.ts";
import {
  executeBlockAgain,
  type ExecutionDeps,
  type ExecutionRequest,
  OLDEST_EXECUTED_VERSION,
} from "#services/sync/index.ts";
import { chainIdFelt } from "#app/node/setup/setup.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { executionRequest, minted } from "#test/helpers/execution-requests.ts";
import { replayStory, STORY, STRANGER } from "#test/helpers/replay-world.ts";

let world: DeclareWorld;
beforeAll(async () => {
  world = await replayStory();
});
afterAll(() => world[Symbol.asyncDispose]());

const flag = new Int32Array(new SharedArrayBuffer(4));
const vm = createCairoVm({ cancelFlag: flag });

function depsOf(changed: Partial<ExecutionDeps> = {}, chargeFees = true): ExecutionDeps {
  const { config } = world.setup;
  const constants = constantsOf(config);
  return {
    vm,
    rules: {
      chainId: chainIdFelt(config),
      feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
      constantsOf: (version) => constants.at(version),
      chargeFees,
    },
    chain: world.chain,
    step: () => Promise.resolve(),
    stopped: Promise.resolve(),
    ...changed,
  };
}

const requestOf = (number: number, changed: Partial<ExecutionRequest["block"]> = {}) =>
  executionRequest(world, number, changed);

const refusalOf = async (...[number, changed]: Parameters<typeof requestOf>) =>
  executeBlockAgain(depsOf(), requestOf(number, changed));

describe("a re-executed block", () => {
  test.each(Array.from({ length: STORY.last + 1 }, (_, number) => number))(
    "agrees: block %p of a chain of this program",
    async (number) => {
      expect(await refusalOf(number)).toBeUndefined();
    },
  );

  test("is refused if a transaction is marked as accepted without a signature check", async () => {
    const { receipts } = requestOf(STORY.transfers).block;
    const [first, ...rest] = receipts;
    if (first === undefined) throw new TypeError("no receipt");
    const said = { receipts: [{ ...first, isImpersonated: true as const }, ...rest] };
    expect(await refusalOf(STORY.transfers, said)).toMatchObject({
      check: "execution",
      message: expect.stringMatching(
        /^transaction 0 was executed without signature validation/,
      ) as string,
    });
  });

  test("is refused if its sequencer mints for itself", async () => {
    const token = world.setup.config.nativeFeeTokenAddress;
    const { block } = requestOf(STORY.transfers);
    const refusal = await refusalOf(STORY.transfers, {
      stateDiff: minted(block.stateDiff, token, STRANGER),
    });
    expect(refusal).toMatchObject({ check: "execution", blockNumber: STORY.transfers });
    expect(refusal?.message).toMatch(
      /^state_diff\.storage_diffs of 0x[0-9a-f]+: 0x[0-9a-f]+: re-execution gives unchanged, the block has 0x/,
    );
  });

  test("is refused if an empty block mints", async () => {
    const token = world.setup.config.nativeFeeTokenAddress;
    const { block } = requestOf(STORY.empty);
    const stateDiff = minted(block.stateDiff, token, STRANGER);
    expect((await refusalOf(STORY.empty, { stateDiff }))?.check).toBe("execution");
  });

  test.each([
    ["fee", { actualFee: 1n }, "receipt.actual_fee.amount"],
    [
      "gas",
      { gas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 1n } },
      "receipt.execution_resources.l1_data",
    ],
    ["events", { events: [] }, "receipt.events.length"],
    ["status", { status: { kind: "reverted", reason: "no" } }, "receipt.execution_status"],
  ] as const)("is refused for other %s, by the transaction", async (_, changed, field) => {
    const { block } = requestOf(STORY.transfers);
    const [first, ...others] = block.receipts;
    if (first === undefined) throw new TypeError("the block has no receipt");
    const refusal = await refusalOf(STORY.transfers, {
      receipts: [{ ...first, ...changed }, ...others],
    });
    expect(refusal?.message).toStartWith(field);
    expect(refusal?.message).toContain("(transaction 0, 0x");
  });

  test.each([
    ["steps", ({ vmResources }) => ({ vmResources: { ...vmResources, steps: 1 } }), "n_steps"],
    [
      "memory holes",
      ({ vmResources }) => ({ vmResources: { ...vmResources, memoryHoles: 12_345 } }),
      "n_memory_holes",
    ],
    [
      "builtins",
      ({ vmResources }) => ({ vmResources: { ...vmResources, builtins: { keccak: 7 } } }),
      "",
    ],
    [
      "data gas",
      ({ daGas }) => ({ daGas: { ...daGas, l1DataGas: daGas.l1DataGas + 1n } }),
      "data_availability.l1_data_gas",
    ],
  ] satisfies [string, (receipt: Receipt) => Partial<Receipt>, string][])(
    "is refused for other %s of a receipt, which no hash covers",
    async (_, changed, field) => {
      const { block } = requestOf(STORY.transfers);
      const [first, ...others] = block.receipts;
      if (first === undefined) throw new TypeError("the block has no receipt");
      const receipts = [{ ...first, ...changed(first) }, ...others];
      const refusal = await refusalOf(STORY.transfers, { receipts });
      expect(refusal?.message).toStartWith(`receipt.execution_resources.${field}`);
      expect(refusal?.message).toEndWith("(transaction 0)");
    },
  );

  test("is refused for a transaction that cannot be included in a block", async () => {
    const { block } = requestOf(STORY.transfers);
    const [first, second] = block.transactions;
    const [, receipt] = block.receipts;
    if (first === undefined || second === undefined || receipt === undefined) {
      throw new TypeError("the block has not two transactions");
    }
    const refusal = await refusalOf(STORY.transfers, {
      transactions: [second],
      receipts: [receipt],
    });
    expect(refusal?.message).toContain("cannot be included in a block");
  });
});

describe("fees", () => {
  test("of a chain that charges them are not explained by --no-charge-fee", async () => {
    const refusal = await executeBlockAgain(depsOf({}, false), requestOf(STORY.transfers));
    expect(refusal?.message).toContain("--no-charge-fee is for chains that take no fees");
  });

  test("that were not charged are explained by --no-charge-fee", async () => {
    const { block } = requestOf(STORY.transfers);
    const receipts = block.receipts.map((receipt) => ({ ...receipt, actualFee: 0n }));
    expect((await refusalOf(STORY.transfers, { receipts }))?.message).toContain(
      "unless the chain takes none (--no-charge-fee)",
    );
  });
});

test("older protocols and a genesis are accepted without execution", async () => {
  const { block } = requestOf(STORY.transfers);
  const stateDiff = minted(block.stateDiff, 0x5n, 0x6n);
  const older = { ...block.header, protocolVersion: "0.12.3" };
  expect(await refusalOf(STORY.transfers, { header: older, stateDiff })).toBeUndefined();
  const oldest = { ...block.header, protocolVersion: OLDEST_EXECUTED_VERSION };
  expect((await refusalOf(STORY.transfers, { header: oldest, stateDiff }))?.check).toBe(
    "execution",
  );
  const genesis = requestOf(0).block;
  const more = minted(genesis.stateDiff, 0x5n, 0x6n);
  expect(await refusalOf(0, { stateDiff: more })).toBeUndefined();
});

test("a cancelled machine ends the work once the thread has stopped", async () => {
  const stopped = Promise.withResolvers<void>();
  let isOver = false;
  Atomics.store(flag, 0, 1);
  try {
    const work = executeBlockAgain(
      depsOf({ stopped: stopped.promise }),
      requestOf(STORY.transfers),
    );
    const ended = work.finally(() => (isOver = true)).then(() => "fulfilled", String);
    await Bun.sleep(20);
    expect(isOver).toBe(false);
    stopped.resolve();
    expect(await ended).toContain("the node stops");
  } finally {
    Atomics.store(flag, 0, 0);
  }
});
