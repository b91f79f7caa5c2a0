import fc from "fast-check";
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import {
  type PreConfirmedBlock,
  type PreConfirmedPart,
  PRE_CONFIRMED_UNCHANGED,
  readPreConfirmed,
  writePreConfirmedBlock,
  writePreConfirmedMore,
} from "#io/feeder/index.ts";
import type { SealedBlock } from "#protocol/chain/index.ts";
import { sealedBlocks, stateDiffs } from "#test/helpers/arbitraries.ts";
import { blockOf, sent, withinTries } from "#test/helpers/gateway-forms.ts";
import { otherTypes, placesOf } from "#test/helpers/json-places.ts";
import { assertProperty } from "#test/helpers/property.ts";

const VERSION = "0.14.4";

/** The transactions of a block, of which the last `candidates` are not executed. */
function partOf(sealed: SealedBlock, candidates: number, diff: PreConfirmedPart["stateDiffs"][0]) {
  const { transactions, receipts } = blockOf(sealed, VERSION);
  const executed = transactions.length - candidates;
  return {
    transactions,
    receipts: receipts.map((receipt, i) => (i < executed ? receipt : null)),
    stateDiffs: receipts.map((_, i) => (i < executed ? diff : null)),
  };
}

function blockWith(sealed: SealedBlock, part: PreConfirmedPart, identifier: string | undefined) {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode } = sealed.header;
  const info = { number, timestamp, sequencerAddress, gasPrices, l1DaMode };
  return { ...part, info: { ...info, protocolVersion: VERSION }, identifier };
}

const parts = fc.tuple(sealedBlocks, fc.nat(3), stateDiffs).map(([sealed, candidates, diff]) => ({
  sealed,
  part: partOf(sealed, candidates, withinTries(diff)),
}));

describe("pre-confirmed blocks", () => {
  test("a whole block is read as it was written, with and without an identifier", () => {
    assertProperty(
      fc.property(parts, fc.option(fc.string(), { nil: undefined }), ({ sealed, part }, name) => {
        const block: PreConfirmedBlock = blockWith(sealed, part, name);
        const json = sent(writePreConfirmedBlock(block));
        expect(readPreConfirmed(json, block.info.number)).toEqual({ kind: "whole", block });
      }),
    );
  });

  test("a block without an identifier has no members of a delta", () => {
    assertProperty(
      fc.property(parts, ({ sealed, part }) => {
        const json = writePreConfirmedBlock(blockWith(sealed, part, undefined));
        expect(Object.keys(json)).not.toContainAnyValues([
          "changed",
          "block_identifier",
          "block_number",
        ]);
        for (const name of ["sequencer_address", "l2_gas_price", "starknet_version"]) {
          expect(json).toHaveProperty(name);
        }
      }),
    );
  });

  test("a delta is read as it was written", () => {
    assertProperty(
      fc.property(parts, fc.nat(500), fc.nat(), ({ part }, first, number) => {
        const more = { ...part, identifier: "0x1f", number };
        const json = sent(writePreConfirmedMore(more, first, VERSION));
        expect(readPreConfirmed(json, number)).toEqual({ kind: "more", ...more });
        expect(readPreConfirmed(json, undefined)).toEqual({ kind: "more", ...more });
        const receipts = (json as JsonObject)["transaction_receipts"] as (JsonObject | null)[];
        for (const [i, receipt] of receipts.entries()) {
          if (receipt !== null) expect(receipt["transaction_index"]).toBe(first + i);
        }
      }),
    );
  });

  test("an unchanged block is recognised", () => {
    expect(PRE_CONFIRMED_UNCHANGED).toEqual({ changed: false });
    expect(readPreConfirmed({ changed: false }, 7)).toEqual({ kind: "unchanged" });
  });

  const empty = {
    changed: true,
    block_identifier: "0x1",
    block_number: 7,
    transactions: [],
    transaction_receipts: [],
    transaction_state_diffs: [],
  };

  test("a block of another number is rejected", () => {
    expect(() => readPreConfirmed(empty, 8)).toThrow("block_number: expected");
  });

  test("a block without a number is rejected if none was requested", () => {
    const { block_number: _number, ...untold } = empty;
    expect(() => readPreConfirmed(untold, undefined)).toThrow("block_number: expected");
  });

  test.each([
    ["transaction_receipts", [null]],
    ["transaction_state_diffs", [null]],
    ["block_identifier", "x".repeat(257)],
    ["block_identifier", 1],
    ["changed", "true"],
    ["transactions", {}],
  ])("a wrong %s is named", (name, value) => {
    expect(() => readPreConfirmed({ ...empty, [name]: value }, 7)).toThrow(`${name}: expected`);
  });

  test("a candidate with a state diff is rejected", () => {
    assertProperty(
      fc.property(parts, ({ part }) => {
        const more = { ...part, identifier: "0x1", number: 7 };
        const json = writePreConfirmedMore(more, 0, VERSION);
        const diffs = json["transaction_state_diffs"] as JsonObject[];
        const at = part.receipts.findIndex((receipt) => receipt === null);
        if (at === -1) return;
        const wrong = { ...json, transaction_state_diffs: diffs.with(at, {}) };
        expect(() => readPreConfirmed(sent(wrong), 7)).toThrow(`transaction_state_diffs[${at}]`);
      }),
    );
  });

  test.each(["ACCEPTED_ON_L2", "PENDING", 1, undefined])("status %p is rejected", (status) => {
    const sealed = fc.sample(parts, { numRuns: 1, seed: 1 })[0];
    if (sealed === undefined) return;
    const json = writePreConfirmedBlock(blockWith(sealed.sealed, sealed.part, "0x1"));
    expect(() => readPreConfirmed({ ...json, status }, undefined)).toThrow("status: expected");
  });

  test("a value of another type is rejected anywhere, in a whole block and in a delta", () => {
    const [sample] = fc.sample(parts, { numRuns: 40, seed: 3 }).filter(({ part }) => {
      return part.receipts.some((receipt) => receipt !== null && receipt.events.length > 0);
    });
    if (sample === undefined) throw new TypeError("no sample has events");
    const { sealed, part } = sample;
    const block = blockWith(sealed, part, "0x1");
    const more = { ...part, identifier: "0x1", number: 7 };
    for (const json of [
      sent(writePreConfirmedBlock(block)),
      sent(writePreConfirmedMore(more, 3, VERSION)),
    ]) {
      const places = placesOf(json);
      expect(places.length).toBeGreaterThan(30);
      for (const place of places) {
        for (const wrong of otherTypes(place.value)) {
          // Without a receipt the transaction is a candidate, which has no state diff.
          const isCandidate = wrong === null && /^transaction_receipts\[\d\]$/.test(place.path);
          const path = isCandidate ? place.path.replace("receipts", "state_diffs") : place.path;
          expect(() => readPreConfirmed(place.with(wrong), undefined)).toThrow(`${path}: expected`);
        }
      }
    }
  });
});
