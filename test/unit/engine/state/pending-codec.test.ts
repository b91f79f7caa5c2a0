import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EncodedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  decodeDeltaContents,
  decodePendingDelta,
  encodePendingDelta,
  mergeStateDiffs,
  decodeLazyDelta,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import {
  blockInputs,
  bundledClasses,
  encodedTransactions,
  headers,
  receipts,
  stateDiffs,
} from "#test/helpers/arbitraries.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";
import { base, delta, info } from "#test/helpers/pending-deltas.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("a pending delta survives its encoding", () => {
  const deltas: fc.Arbitrary<PendingDelta> = fc
    .record({
      blockNumber: fc.nat(),
      sequence: fc.nat(),
      sealed: fc.boolean(),
      info: fc.option(headers.map(({ number }) => info(number))),
      transactions: fc.array(encodedTransactions, { maxLength: 3 }),
      receipts: fc.array(receipts, { maxLength: 3 }),
      diff: stateDiffs,
      classes: bundledClasses.map((classes) => classes.map(encodedClassOf)),
      inputs: blockInputs,
    })
    .map(({ inputs: { l1Messages }, ...rest }) =>
      l1Messages.length === 0 ? rest : { ...rest, l1Messages },
    );
  assertProperty(
    fc.property(deltas, (sent) => {
      const bytes = encodePendingDelta(sent);
      expect(decodePendingDelta(bytes)).toEqual(sent);
      const { diff: _, ...contents } = sent;
      expect(decodeDeltaContents(bytes)).toEqual(contents);
    }),
  );
});

describe("decodeLazyDelta", () => {
  const pairs = fc.array(fc.tuple(encodedTransactions, receipts), { maxLength: 3 });
  const blocks = fc.array(fc.record({ pairs, diff: stateDiffs }), { minLength: 1, maxLength: 4 });
  const deltasOf = (
    parts: readonly { pairs: [EncodedTransaction, Receipt][]; diff: StateDiff }[],
  ) =>
    parts.map((part, sequence): PendingDelta => ({
      ...delta(5, sequence, []),
      transactions: part.pairs.map(([transaction]) => transaction),
      receipts: part.pairs.map(([, receipt]) => receipt),
      diff: part.diff,
    }));

  test("yields the same block, however often it is read in between", () => {
    assertProperty(
      fc.property(blocks, fc.nat({ max: 4 }), (parts, lookAt) => {
        const overlay = new PendingOverlay(base(4));
        const sent: [EncodedTransaction, Receipt][] = [];
        const ends: number[] = [];
        for (const [index, part] of deltasOf(parts).entries()) {
          overlay.applyLazy(decodeLazyDelta(encodePendingDelta(part)));
          sent.push(...(parts[index]?.pairs ?? []));
          ends.push(sent.length);
          if (index !== lookAt) continue;
          expect(overlay.newest()?.receipts).toEqual(sent.map(([, receipt]) => receipt));
        }
        const block = overlay.newest();
        expect(block?.changes?.map(({ end }) => end)).toEqual(ends);
        expect(block?.transactions).toEqual(sent.map(([transaction]) => transaction));
        expect(block?.receipts).toEqual(sent.map(([, receipt]) => receipt));
        expect(block?.stateDiff).toEqual(mergeStateDiffs(parts.map(({ diff }) => diff)));
        const last = sent.findLastIndex(([{ hash }]) => hash === sent[0]?.[0].hash);
        expect(block?.find(sent[0]?.[0].hash ?? 0n)?.index ?? -1).toBe(last);
      }),
    );
  });

  test("decodes the contents once and only when they are read", () => {
    let count = 0;
    const overlay = new PendingOverlay(base(4));
    const { transactions, receipts: none, ...head } = delta(5, 0, [[1n, 10n]]);
    overlay.applyLazy({
      ...head,
      hashes: [],
      contents() {
        count++;
        return { transactions, receipts: none };
      },
    });
    expect([overlay.state().storageAt(1n, 1n), overlay.newest()?.find(1n), count]).toEqual([
      10n,
      undefined,
      0,
    ]);
    const found = [overlay.newest()?.transactions, overlay.newest()?.receipts, count];
    expect(found).toEqual([[], [], 1]);
  });

  test("rejects truncated bytes", () => {
    const bytes = encodePendingDelta(delta(5, 0, [[1n, 10n]]));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeLazyDelta(bytes.subarray(0, length))).toThrow(DecodeError);
    }
  });
});
