import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

test("returns roots and changes in ascending order", async () => {
  expect(await resultOf("getStateUpdate", { block_id: "latest" })).toEqual({
    block_hash: "0xb10c1",
    old_root: "0x50070",
    new_root: "0x50071",
    state_diff: {
      storage_diffs: [
        { address: "0x1", storage_entries: [{ key: "0x0", value: "0xabc" }] },
        {
          address: "0xc0",
          storage_entries: [
            { key: "0x10", value: "0x222" },
            { key: "0x20", value: "0x2" },
          ],
        },
      ],
      nonces: [{ contract_address: "0xc0", nonce: "0x2" }],
      deployed_contracts: [],
      replaced_classes: [{ contract_address: "0xc0", class_hash: "0x51e77a" }],
      declared_classes: [{ class_hash: "0x51e77a", compiled_class_hash: "0xca5" }],
      deprecated_declared_classes: [],
      migrated_compiled_classes: [],
    },
  });
});

test("has the old root 0 for block 0", async () => {
  expect(await resultOf("getStateUpdate", [{ block_number: 0 }])).toMatchObject({
    old_root: "0x0",
    state_diff: {
      deployed_contracts: [{ address: "0xc0", class_hash: "0x1e6ac" }],
      deprecated_declared_classes: ["0x1e6ac"],
    },
  });
});

test("has the old root and no hash for the pre-confirmed block", async () => {
  const update = await resultOf("getStateUpdate", ["pre_confirmed"]);
  expect(update).toMatchObject({ old_root: "0x50071" });
  expect(update).not.toHaveProperty("block_hash");
  expect(update).not.toHaveProperty("new_root");
});

test("filters changes by contract but keeps declared classes", async () => {
  const params = { block_id: "latest", contract_addresses: ["0x1"] };
  expect(await resultOf("getStateUpdate", params)).toMatchObject({
    state_diff: {
      storage_diffs: [{ address: "0x1" }],
      nonces: [],
      replaced_classes: [],
      declared_classes: [{ class_hash: "0x51e77a" }],
    },
  });
});

testBlockId("getStateUpdate");
test("treats an empty list of contracts as no filter", async () => {
  const all = await resultOf("getStateUpdate", ["latest"]);
  expect(await resultOf("getStateUpdate", ["latest", []])).toEqual(all);
});

testBadParams("getStateUpdate", ["latest", ["x"]], "contract_addresses[0]");
testByPosition("getStateUpdate", { block_id: "latest", contract_addresses: ["0x1"] });
specTest("getStateUpdate", [
  [["latest"]],
  [["pre_confirmed"]],
  [[{ block_number: 0 }]],
  [[NO_BLOCK]],
]);
