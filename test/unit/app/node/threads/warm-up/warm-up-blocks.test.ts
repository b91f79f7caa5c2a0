import { expect, test } from "bun:test";
import { scratchBlocks, warmUpBlocks } from "#app/node/threads/warm-up/warm-up-blocks.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import { decodeStateDiff } from "#protocol/chain/index.ts";
import type { RehearsalMessage } from "#services/sequencer/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { scratchSettings } from "#test/helpers/scratch-settings.ts";

const vm = createCairoVm();

test.each(["0.13.2", "0.13.4", "0.14.0", "0.14.4"])(
  "blocks of one transfer each follow the rules of %s, all on the same state",
  async (protocolVersion) => {
    const { settings, block: context } = await scratchSettings(protocolVersion);
    const blockAt = scratchBlocks(vm, settings, context);
    for (let number = 0; number < 3; number++) {
      const made = blockAt(number);
      const [delta, last] = (made?.deltas ?? []).map((bytes) => decodePendingDelta(bytes));
      expect(delta).toMatchObject({ blockNumber: number, sequence: 0, sealed: false });
      expect(delta?.info?.protocolVersion).toBe(protocolVersion);
      expect(delta?.transactions).toHaveLength(1);
      expect(delta?.receipts).toMatchObject([{ status: { kind: "succeeded" } }]);
      expect(last).toMatchObject({ sequence: 1, sealed: true });
      expect(decodeStateDiff(made?.stateDiff ?? new Uint8Array()).nonces.size).toBe(1);
    }
  },
);

test("one in four is rehearsed, one block per turn after the block of the state", async () => {
  const timer = new FakeTimer();
  const rehearsed: RehearsalMessage[] = [];
  const { settings, block: context } = await scratchSettings("0.14.4");
  const blockOf = () => context;
  const rehearse = (message: RehearsalMessage) => void rehearsed.push(message);
  warmUpBlocks(9, { vm, settings, blockOf, rehearse, timer });
  timer.advance(1000);
  expect(rehearsed).toHaveLength(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(rehearsed).toHaveLength(1);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  expect(rehearsed).toHaveLength(3);
});

test("loads nothing for zero blocks", async () => {
  const timer = new FakeTimer();
  const { settings } = await scratchSettings("0.14.4");
  const rehearse = () => expect.unreachable();
  warmUpBlocks(0, { vm, settings, blockOf: () => expect.unreachable(), rehearse, timer });
  timer.advance(1000);
});
