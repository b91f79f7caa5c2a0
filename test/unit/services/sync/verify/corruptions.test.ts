import { describe, test } from "bun:test";
import { IN_ALL } from "#test/helpers/block-corruptions.ts";
import {
  bit,
  block,
  checkBytes,
  diff,
  expectRefused,
  receipt,
  transaction,
} from "#test/helpers/change-block.ts";
import {
  bytesOf,
  NETWORK_BLOCKS,
  ownBlock,
  type SampleBlock,
} from "#test/helpers/gateway-blocks.ts";
import { FROM_0_13_2, FROM_0_13_4 } from "#test/helpers/later-corruptions.ts";
import { fixtureTest } from "#test/helpers/shared.ts";

for (const [version, corruptions] of [
  ["0.13.0", IN_ALL],
  ["0.13.2", [...IN_ALL, ...FROM_0_13_2]],
  ["0.14.4", [...IN_ALL, ...FROM_0_13_2, ...FROM_0_13_4]],
] as const) {
  describe(`one flipped bit of a block of ${version} is refused`, () => {
    const sample = ownBlock(version);
    for (const [what, check, message, change] of corruptions) {
      test(what, async () => {
        const json = sample.json();
        change(json);
        const outcome = await checkBytes(sample, bytesOf(json));
        expectRefused(outcome, sample.number, check, message);
      });
    }

    test("a signature by another key", async () => {
      const other = { ...sample, publicKey: ownBlock(version).publicKey ^ 1n };
      const outcome = await checkBytes(other, bytesOf(sample.json()));
      expectRefused(outcome, sample.number, "signature", /^signature: expected one of block 0x/u);
    });
  });
}

describe("one flipped bit of a block of a public network is refused", () => {
  const networkTest = fixtureTest("gateway-blocks");
  const find = (name: string): SampleBlock => {
    const found = NETWORK_BLOCKS.find((each) => each.name.includes(name));
    if (found === undefined) throw new TypeError(`there is no block ${name}`);
    return found;
  };
  for (const [name, what, check, change] of [
    ["genesis", "calldata", "transaction_hash", bit(...transaction(0, "constructor_calldata", 0))],
    ["genesis", "the state root", "block_hash", bit(...block("state_root"))],
    ["2240", "an event", "event_commitment", bit(...receipt(35, "events", 0, "data", 0))],
    ["2240", "the timestamp", "block_hash", bit(...block("timestamp"))],
    ["2500", "an event", "event_commitment", bit(...receipt(26, "events", 0, "keys", 0))],
    ["2800", "the sequencer", "block_hash", bit(...block("sequencer_address"))],
    ["65000", "a signature", "transaction_commitment", bit(...transaction(0, "signature", 0))],
    ["9703", "the parent", "block_hash", bit(...block("parent_block_hash"))],
    ["35748", "a fee", "receipt_commitment", bit(...receipt(0, "actual_fee"))],
    ["35748", "the network's signature", "signature", bit("signature", 0)],
    [
      "35748",
      "a class",
      "state_diff_commitment",
      bit(...diff("declared_classes", 0, "class_hash")),
    ],
    ["63881", "a gas price", "block_hash", bit(...block("l2_gas_price", "price_in_wei"))],
  ] as const) {
    networkTest(`${name}: ${what}`, async () => {
      const sample = find(name);
      const json = sample.json();
      change(json);
      const outcome = await checkBytes(sample, bytesOf(json));
      // The first blocks report no commitments: there only the block's hash differs.
      const isTold = !(name === "2240" && check === "event_commitment");
      expectRefused(
        outcome,
        sample.number,
        isTold ? check : "block_hash",
        /expected .*0x.*, found .*0x/u,
      );
    });
  }
});
