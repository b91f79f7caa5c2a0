import { expect, test } from "bun:test";
import { usualReads } from "#app/node/fork/usual-reads.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { type OriginQuery, originQueryText } from "#io/origin/index.ts";

const block = 9;
const CONFIG = {
  nativeFeeTokenAddress: 0x500n,
  parentFeeTokenAddress: 0x600n,
  sequencerAddress: 0x700n,
};

test("the fee tokens, the sequencer's balance, the counter of aliases and the classes are usual", () => {
  const texts = usualReads(CONFIG, [0x99n], block).map(originQueryText);
  const expected: readonly OriginQuery[] = [
    { kind: "classHash", block, address: 0x500n },
    { kind: "classHash", block, address: 0x600n },
    { kind: "storage", block, address: 0x500n, key: balanceKey(0x700n) },
    { kind: "storage", block, address: 2n, key: 0n },
    { kind: "storage", block, address: 2n, key: 0x500n },
    { kind: "class", block, classHash: 0x99n },
  ];
  for (const query of expected) expect(texts).toContain(originQueryText(query));
});

test("no value is usual twice where one token pays both fees", () => {
  const one = { ...CONFIG, parentFeeTokenAddress: 0x500n };
  const texts = usualReads(one, [], block).map(originQueryText);
  expect(new Set(texts).size).toBe(texts.length);
});
