import { describe, expect, test } from "bun:test";
import { resolveBlock } from "#api/rpc/index.ts";
import { reasonOfAbsence } from "#api/rpc/block-id.ts";
import { createFakeChain, fakeBlock, fakePending } from "#test/helpers/fake-chain.ts";
import { EMPTY_CHAIN, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

const ahead = createFakeChain([fakeBlock({ header: { number: 0 } })], { l1Accepted: 5 });
const unsettled = createFakeChain([fakeBlock({ header: { number: 0 } })]);

describe("a block id resolves to", () => {
  test("the newest block for latest", () => {
    expect(resolveBlock(sampleContext(), { kind: "latest" })).toEqual({
      kind: "accepted",
      number: 1,
    });
  });

  test("the newest block for l1_accepted when L1 is ahead of the node", () => {
    expect(resolveBlock(sampleContext({ chain: ahead }), { kind: "l1_accepted" })).toEqual({
      kind: "accepted",
      number: 0,
    });
  });

  test("nothing for l1_accepted when nothing is accepted there", () => {
    const context = sampleContext({ chain: unsettled });
    expect(resolveBlock(context, { kind: "l1_accepted" })).toBeUndefined();
  });

  test("the view at the moment of asking for pre_confirmed", () => {
    const context = sampleContext();
    const view = context.pending();
    expect(resolveBlock(context, { kind: "pre_confirmed" })).toEqual({
      kind: "pending",
      view,
      newest: view,
    } as never);
  });

  test("the block after latest, and the newest one, when several are not accepted yet", () => {
    const [lowest, newest] = [fakePending(SAMPLE_CHAIN, {}), fakePending(SAMPLE_CHAIN, {})];
    const context = sampleContext({
      pending: () => newest,
      unaccepted: () => [lowest, fakePending(SAMPLE_CHAIN, {}), newest],
    });
    const block = resolveBlock(context, { kind: "pre_confirmed" });
    expect(block?.kind === "pending" && block.view === lowest).toBe(true);
    expect(block?.kind === "pending" && block.newest === newest).toBe(true);
  });

  test("the empty block that would be opened while there is none", () => {
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
    ["after it", SAMPLE_CHAIN],
  ])("nothing for pre_confirmed when nothing is known of a block being built, %s", (_, chain) => {
    const context = sampleContext({ chain, pending: () => undefined });
    expect(resolveBlock(context, { kind: "pre_confirmed" })).toBeUndefined();
  });
});

describe("the absence of latest before the first block", () => {
  test("is explained by the open block where one is built", () => {
    const context = sampleContext({ chain: EMPTY_CHAIN });
    expect(reasonOfAbsence(context, { kind: "latest" })).toContain(
      "block 0 is open, and is accepted when the chain's block_time is over",
    );
  });

  test("is not explained for other blocks, nor once there are blocks", () => {
    const context = sampleContext({ chain: EMPTY_CHAIN });
    expect(reasonOfAbsence(context, { kind: "number", number: 0 })).toBeUndefined();
    expect(reasonOfAbsence(sampleContext(), { kind: "latest" })).toBeUndefined();
    const following = sampleContext({ chain: EMPTY_CHAIN, pending: () => undefined });
    expect(reasonOfAbsence(following, { kind: "latest" })).toBeUndefined();
  });
});
