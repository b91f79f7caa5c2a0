import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

const SIERRA = {
  sierra_program: ["0x1", "0x6", "0x0"],
  contract_class_version: "0.1.0",
  entry_points_by_type: {
    CONSTRUCTOR: [],
    EXTERNAL: [{ selector: "0x99", function_idx: 0 }],
    L1_HANDLER: [],
  },
  abi: '[{"type": "function"}]',
};

test("returns a Sierra class with its ABI as text", async () => {
  const params = { block_id: "latest", class_hash: "0x51e77a" };
  expect(await resultOf("getClass", params)).toEqual(SIERRA);
});

test("returns a Cairo 0 class with hex offsets", async () => {
  expect(await resultOf("getClass", ["latest", "0x1e6ac"])).toMatchObject({
    entry_points_by_type: {
      CONSTRUCTOR: [{ selector: "0x28", offset: "0x12" }],
      EXTERNAL: [],
      L1_HANDLER: [],
    },
    abi: [{ type: "constructor", name: "constructor", inputs: [], outputs: [] }],
  });
});

test("returns the program of a Cairo 0 class unchanged, in gzip and base64", async () => {
  const { program } = (await resultOf("getClass", ["latest", "0x1e6ac"])) as { program: string };
  const text = new TextDecoder().decode(Bun.gunzipSync(Uint8Array.fromBase64(program)));
  expect(text).toBe('{"prime": "0x8", "hints": {"10": ["a } \\" {"], "2": []}, "data": ["0x1"]}');
});

test("does not find a class before the block that declares it", async () => {
  expect(await errorOf("getClass", [{ block_number: 0 }, "0x51e77a"])).toEqual(
    errorObject("CLASS_HASH_NOT_FOUND"),
  );
});

test("finds a class that the pre-confirmed block declares", async () => {
  expect(await resultOf("getClass", ["pre_confirmed", "0x9e4d1"])).toEqual(SIERRA);
});

test("does not find a class of the pre-confirmed block at latest", async () => {
  expect(await errorOf("getClass", ["latest", "0x9e4d1"])).toEqual(
    errorObject("CLASS_HASH_NOT_FOUND"),
  );
});

testBlockId("getClass", { class_hash: "0x51e77a" });
testBadParams("getClass", ["latest"], "class_hash");
testByPosition("getClass", { block_id: "latest", class_hash: "0x51e77a" });
specTest("getClass", [
  [["latest", "0x51e77a"]],
  [["latest", "0x1e6ac"]],
  [["latest", "0x1"]],
  [[NO_BLOCK, "0x1"]],
]);
