import { describe, expect, test } from "bun:test";
import { resolveBlock } from "#api/rpc/index.ts";
import { reasonOfAbsence } from "#api/rpc/block-id.ts";
import { createFakeChain, fakeBlock, fakePending } from "#test/helpers/fake-chain.ts";
import { EMPTY_CHAIN, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

const ahead = createFakeChain([fakeBlock({ header: { number: 0 } })], { l1Accepted: 5 });
const unsettled = createFakeChain([fakeBlock({ header: { number: 0 } })]);

describe("resolveBlock", () => {
  test("resolves latest to the newest block", () => {
    expect(resolveBlock(sampleContext(), { kind: "latest" })).toEqual({
      kind: "accepted",
      number: 1,
    });
  });

  test("resolves l1_accepted to the newest block when L1 is ahead of the node", () => {
    expect(resolveBlock(sampleContext({ chain: ahead }), { kind: "l1_accepted" })).toEqual({
      kind: "accepted",
      number: 0,
    });
  });

  test("does not resolve l1_accepted while no block is accepted on L1", () => {
    const context = sampleContext({ chain: unsettled });
    expect(resolveBlock(context, { kind: "l1_accepted" })).toBeUndefined();
  });

  test("resolves pre_confirmed to the pending block at the time of the request", () => {
    const context = sampleContext();
    const view = context.pending();
    expect(resolveBlock(context, { kind: "pre_confirmed" })).toEqual({
      kind: "pending",
      view,
      newest: view,
    } as never);
  });

  test("resolves pre_confirmed to the block after latest when several blocks are unaccepted", () => {
    const [lowest, newest] = [fakePending(SAMPLE_CHAIN, {}), fakePending(SAMPLE_CHAIN, {})];
    const context = sampleContext({
      pending: () => newest,
      unaccepted: () => [lowest, fakePending(SAMPLE_CHAIN, {}), newest],
    });
    const block = resolveBlock(context, { kind: "pre_confirmed" });
    expect(block?.kind === "pending" && block.view === lowest).toBe(true);
    expect(block?.kind === "pending" && block.newest === newest).toBe(true);
  });

  test("resolves pre_confirmed to an empty next block while no block is open", () => {
    const context = sampleContext({ unaccepted: () => [] });
    const view = context.pending();
    expect(resolveBlock(context, { kind: "pre_confirmed" })).toEqual({
      kind: "pending",
      view,
      newest: view,
    } as never);
  });

  test.each([
    ["before the first block", EMPTY_CHAIN],
    ["after the first block", SAMPLE_CHAIN],
  ])("does not resolve pre_confirmed without a pending block, %s", (_, chain) => {
    const context = sampleContext({ chain, pending: () => undefined });
    expect(resolveBlock(context, { kind: "pre_confirmed" })).toBeUndefined();
  });
});

describe("reasonOfAbsence before the first block", () => {
  test("names the open block", () => {
    const context = sampleContext({ chain: EMPTY_CHAIN });
    expect(reasonOfAbsence(context, { kind: "latest" })).toContain(
      "block 0 is open, and is accepted when the chain's block_time is over",
    );
  });

  test("is `undefined` for other blocks and once the chain has blocks", () => {
    const context = sampleContext({ chain: EMPTY_CHAIN });
    expect(reasonOfAbsence(context, { kind: "number", number: 0 })).toBeUndefined();
    expect(reasonOfAbsence(sampleContext(), { kind: "latest" })).toBeUndefined();
    const following = sampleContext({ chain: EMPTY_CHAIN, pending: () => undefined });
    expect(reasonOfAbsence(following, { kind: "latest" })).toBeUndefined();
  });
});
