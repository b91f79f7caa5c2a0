import { describe, expect, test } from "bun:test";
import type { StateReport } from "#io/l1/index.ts";
import { verdictOn } from "#services/l1-watch/state-vote.ts";
import { headerOf, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";

const WRONG = { ...updateOf(5), stateRoot: 0xbadn };
/** Settled by the same L1 block as {@link WRONG}, before or after it. */
const OTHER = { ...updateOf(6), stateRoot: 0xbad6n, logIndex: 1 };
const OWN = { ...updateOf(6), logIndex: 1 };
const NEWER = { ...updateOf(8, L1_NEXT), stateRoot: 0xbad8n };
const own = (blockNumber: number) => (blockNumber < 10 ? headerOf(blockNumber) : undefined);

type Told = Omit<Extract<StateReport, { kind: "read" }>, "endpoint">;

const HAS: Told = {
  kind: "read",
  l1BlockHash: L1_BLOCK.hash,
  updates: [WRONG],
  named: [],
  core: WRONG,
};
const LACKS: Told = { ...HAS, updates: [], core: updateOf(4) };
const SILENT = { kind: "silent", reason: "it hangs" } as const;
const pruned = (newest = NEWER, updates = [WRONG]) =>
  ({ ...HAS, kind: "pruned", updates, newest, newestL1Block: 99 }) as const;

type Each = Told | typeof SILENT | ReturnType<typeof pruned>;

function verdict(update: Parameters<typeof verdictOn>[0], ...each: readonly Each[]) {
  const reports = each.map((report, index): StateReport => {
    return { ...report, endpoint: `http://${index}` };
  });
  return verdictOn(update, reports, own);
}

describe("a majority of the configured endpoints", () => {
  test.each([
    [[HAS], "confirmed"],
    [[HAS, HAS], "confirmed"],
    [[HAS, HAS, LACKS], "confirmed"],
    [[HAS, HAS, SILENT], "confirmed"],
    [[LACKS], "refuted"],
    [[LACKS, LACKS], "refuted"],
    [[HAS, LACKS, LACKS], "refuted"],
    [[SILENT], "undecided"],
    [[HAS, LACKS], "undecided"],
    [[HAS, SILENT], "undecided"],
    [[HAS, SILENT, SILENT], "undecided"],
    [[HAS, LACKS, SILENT], "undecided"],
    [[HAS, HAS, LACKS, LACKS], "undecided"],
  ] as const)("decides: %#", (reports, kind) => {
    expect(verdict(WRONG, ...reports).kind).toBe(kind);
  });

  test("is reported with the response of each", () => {
    expect(verdict(WRONG, HAS, LACKS, SILENT).said).toBe(
      "http://0 confirms it; http://1 has no such log in L1 block 7; http://2 does not answer: it hangs",
    );
  });
});

describe("an endpoint refutes an update", () => {
  test.each([
    ["of an L1 block that it has with another hash", { ...HAS, l1BlockHash: 1n }],
    ["that it does not log", { ...HAS, updates: [OTHER] }],
    ["that it logs with another root", { ...HAS, updates: [{ ...WRONG, stateRoot: 1n }] }],
    ["that is not the core contract's root", { ...HAS, core: { ...WRONG, stateRoot: 1n } }],
    ["that is not the core contract's hash", { ...HAS, core: { ...WRONG, blockHash: 1n } }],
    ["that is not the core contract's block", { ...HAS, core: updateOf(4) }],
    ["before an agreeing one of the same L1 block", { ...HAS, updates: [WRONG, OWN], core: OWN }],
    ["where a last log is not the core contract's", { ...HAS, updates: [WRONG, OTHER] }],
    ["above its newest state", pruned(updateOf(4))],
    ["below a newest state that agrees", pruned(updateOf(9))],
  ])("%s", (_, report) => {
    expect(verdict(WRONG, report).kind).toBe("refuted");
  });
});

describe("an endpoint confirms an update", () => {
  test("if a later one of the same L1 block is the core contract's state", () => {
    const report = { ...HAS, updates: [WRONG, OTHER], core: OTHER };
    expect(verdict(WRONG, report).kind).toBe("confirmed");
    expect(verdict(OTHER, report).kind).toBe("confirmed");
  });

  test("by its log if it has pruned the state, and names its oldest state", () => {
    const { kind, said } = verdict(WRONG, pruned());
    expect(kind).toBe("confirmed");
    expect(said).toContain("block 8 at L1 block 99, its oldest state");
    expect(verdict(WRONG, pruned(WRONG)).kind).toBe("confirmed");
    expect(verdict(WRONG, pruned({ ...NEWER, blockNumber: 20n })).kind).toBe("confirmed");
  });
});

describe("an update that only the core contract's state shows", () => {
  const { stateRoot, blockNumber, blockHash, l1Block } = WRONG;
  const update = { stateRoot, blockNumber, blockHash, l1Block, transactionHash: undefined };

  test.each([
    [{ ...HAS, updates: [] }, "confirmed"],
    [{ ...HAS, updates: [], core: updateOf(4) }, "refuted"],
    [pruned(WRONG, []), "confirmed"],
    [pruned(NEWER, []), "undecided"],
    [pruned(updateOf(4), []), "refuted"],
  ])("requires no log: %#", (report, kind) => {
    expect(verdict(update, report).kind).toBe(kind as "confirmed");
  });
});
