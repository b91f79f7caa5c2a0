import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type JsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { readGatewayStateUpdate, readGatewayWholeBlock } from "#io/feeder/index.ts";
import { type JsonPlace, otherTypes, placesOf } from "#test/helpers/json-places.ts";
import { fixturePath, fixtureTest } from "#test/helpers/shared.ts";

const gatewayTest = fixtureTest("gateway-blocks");

/** Block as get_state_update returns it, with the transactions from `first` to `last`. */
function wholeBlock(
  blockPath: string,
  updatePath: string,
  first: number,
  last: number,
): JsonObject {
  const read = (path: string) =>
    parseJson(
      readFileSync(fixturePath("gateway-blocks", ...path.split("/")), "utf8"),
    ) as JsonObject;
  const block = read(blockPath);
  const part = (name: string) => (block[name] as readonly JsonObject[]).slice(first, last);
  const receipts = part("transaction_receipts").map((receipt, i) => ({
    ...receipt,
    transaction_index: i,
  }));
  return {
    block: { ...block, transactions: part("transactions"), transaction_receipts: receipts },
    state_update: read(updatePath),
    signature: ["0x1", "0x2"],
  };
}

const UPDATE = "0.13.4/state_update/sepolia_integration_63881.json";

/** Transactions of versions 0 to 3, L1 handlers, deployments, declarations. */
const BLOCKS: Readonly<Record<string, () => JsonObject>> = {
  "of 0.13.4": () => wholeBlock("0.13.4/block/sepolia_integration_63881.json", UPDATE, 0, 4),
  "of 0.13.2 with a declaration": () =>
    wholeBlock("0.13.2/block/sepolia_integration_35748.json", UPDATE, 0, 1),
  "of 0.11.1 with a deployed account": () =>
    wholeBlock("0.11.1/block/mainnet_65000.json", UPDATE, 4, 6),
  "of 0.11.1 with a message from L1": () =>
    wholeBlock("0.11.1/block/mainnet_65000.json", UPDATE, 95, 96),
  "of 0.7.0": () => wholeBlock("0.7.0/block/mainnet_2240.json", UPDATE, 0, 2),
};

/** Paths whose member names are data. */
const KEYED = /^state_update\.state_diff\.(storage_diffs|nonces)\./;

/** Members that a block may lack. */
const OPTIONAL = [
  /^signature$/,
  /^block\.(sequencer_address|starknet_version|l2_gas_price|state_diff_length)$/,
  /^block\.\w+_commitment$/,
  /\.(execution_status|revert_error|l1_to_l2_consumed_message)$/,
  /\.l1_to_l2_consumed_message\.nonce$/,
  /\.(total_gas_consumed|data_availability|l2_gas|L1_DATA_GAS)$/,
  /\.builtin_instance_counter\.\w+$/,
];

/** A transaction without a version has version 0 and other members. */
const VERSION = /\.transactions\[\d\]\.version$/;

function isOptional({ name, path }: JsonPlace, document: JsonObject): boolean {
  if (OPTIONAL.some((pattern) => pattern.test(name)) || KEYED.test(name)) return true;
  // Removing an element only shortens its list.
  if (path.endsWith("]") || VERSION.test(path)) return true;
  const index = /^block\.transactions\[(\d)\]\.nonce$/.exec(path)?.[1];
  const { transactions } = document["block"] as { readonly transactions: readonly JsonObject[] };
  return index !== undefined && transactions[Number(index)]?.["type"] === "L1_HANDLER";
}

/** Path at which reading fails; `undefined` if it succeeds. */
function placeOfFailure(json: JsonValue): string | undefined {
  try {
    readGatewayWholeBlock(json);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.path;
    throw error;
  }
}

for (const [name, block] of Object.entries(BLOCKS)) {
  describe(`a block ${name}`, () => {
    gatewayTest("is rejected with a value of another type anywhere", () => {
      const places = placesOf(block());
      expect(places.length).toBeGreaterThan(80);
      for (const place of places) {
        for (const wrong of otherTypes(place.value)) {
          expect([place.path, wrong, placeOfFailure(place.with(wrong))]).toEqual([
            place.path,
            wrong,
            place.path,
          ]);
        }
      }
    });

    gatewayTest("is rejected without any required member", () => {
      const document = block();
      for (const place of placesOf(document)) {
        if (isOptional(place, document)) continue;
        expect([place.path, placeOfFailure(place.with(undefined))]).toEqual([
          place.path,
          place.path,
        ]);
      }
    });

    gatewayTest("is rejected with invalid numbers", () => {
      for (const place of placesOf(block())) {
        if (typeof place.value === "number") {
          for (const wrong of [-1, 0.5, 2 ** 53, 2n ** 64n, 1e300]) {
            expect([place.path, placeOfFailure(place.with(wrong))]).toEqual([
              place.path,
              place.path,
            ]);
          }
        } else if (typeof place.value === "string" && place.value.startsWith("0x")) {
          for (const wrong of NO_NUMBERS) {
            expect([wrong, placeOfFailure(place.with(wrong))]).toEqual([wrong, place.path]);
          }
        }
      }
    });
  });
}

const NO_NUMBERS = [
  "",
  "0x",
  "0x ",
  " 0x1",
  "0x1 ",
  "0x1\n",
  "0X1",
  "0xg",
  "0x1_0",
  "0x-1",
  "1_0",
  "-1",
  "+1",
  "1.5",
  "1e3",
  "1n",
  "0b1",
  "0o7",
  "x1",
  "\u00001",
  "１",
  hexFromFelt(FIELD_PRIME),
  FIELD_PRIME.toString(),
  `0x${"0".repeat(64)}1`,
  "0".repeat(77),
  `0x${"f".repeat(64)}`,
];

/** Exclusive upper bounds of members, by the end of their path. */
const LIMITS: readonly (readonly [RegExp, bigint])[] = [
  [/\.(price_in_wei|price_in_fri|actual_fee|max_fee|max_price_per_unit)$/, 2n ** 128n],
  [/\.(tip|max_amount)$/, 2n ** 64n],
  [/\.(sender_address|contract_address|deployed_contracts\[\d\]\.address)$/, 2n ** 251n],
  [/\.storage_diffs\.\w+\[\d\]\.key$/, 2n ** 251n],
  [/\.(old_declared_contracts\[\d\]|declared_classes\[\d\]\.class_hash)$/, 2n ** 251n],
];

function limitOf(path: string): bigint {
  return LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? FIELD_PRIME;
}

describe("limits of a block", () => {
  gatewayTest("each accepts the last value and rejects the next", () => {
    const seen = new Set<bigint>();
    for (const block of Object.values(BLOCKS)) {
      for (const place of placesOf(block())) {
        if (typeof place.value !== "string" || !place.value.startsWith("0x")) continue;
        // These values have to agree with other members.
        if (/transaction_hash$|version$/.test(place.path)) continue;
        const limit = limitOf(place.path);
        seen.add(limit);
        expect([place.path, placeOfFailure(place.with(hexFromFelt(limit)))]).toEqual([
          place.path,
          place.path,
        ]);
        expect([place.path, placeOfFailure(place.with(hexFromFelt(limit - 1n)))]).toEqual([
          place.path,
          undefined,
        ]);
        expect(placeOfFailure(place.with((limit - 1n).toString()))).toBeUndefined();
      }
    }
    expect(seen.size).toBe(4);
  });

  gatewayTest("gas is a number of 64 bits", () => {
    for (const place of placesOf(BLOCKS["of 0.13.4"]?.() ?? {})) {
      if (!/(data_availability|total_gas_consumed)\.\w+$/.test(place.path)) continue;
      expect(placeOfFailure(place.with(2n ** 64n))).toBe(place.path);
      expect(placeOfFailure(place.with(2n ** 64n - 1n))).toBeUndefined();
    }
  });

  gatewayTest("unknown enum values are rejected", () => {
    const block = BLOCKS["of 0.13.4"]?.() ?? {};
    const words = /\.(status|l1_da_mode|starknet_version|execution_status|type|version|\w+_mode)$/;
    let count = 0;
    for (const place of placesOf(block)) {
      if (!words.test(place.path)) continue;
      count++;
      const wrong = typeof place.value === "number" ? 2 : "PENDING";
      expect(placeOfFailure(place.with(wrong))).toBe(place.path);
    }
    expect(count).toBeGreaterThan(10);
  });
});

describe("block receipts", () => {
  const read = () => BLOCKS["of 0.13.4"]?.() as { block: JsonObject };

  gatewayTest("must match the transactions and their order", () => {
    const { block, ...rest } = read();
    const receipts = block["transaction_receipts"] as readonly JsonObject[];
    const at = (list: readonly JsonObject[]) =>
      placeOfFailure({ ...rest, block: { ...block, transaction_receipts: list } });
    expect(at(receipts)).toBeUndefined();
    expect(at(receipts.slice(1))).toBe("block.transaction_receipts");
    expect(at([...receipts, receipts[0] as JsonObject])).toBe("block.transaction_receipts");
    expect(at(receipts.toReversed())).toBe("block.transaction_receipts[0].transaction_hash");
    const [first = {}] = receipts;
    expect(at(receipts.with(0, { ...first, transaction_index: 1 }))).toBe(
      "block.transaction_receipts[0].transaction_index",
    );
    const half = { ...first, execution_status: "REVERTED", revert_error: "\ud800" };
    expect(at(receipts.with(0, half))).toBe("block.transaction_receipts[0].revert_error");
  });
});

describe("state diffs", () => {
  const update = (diff: JsonObject): JsonValue => ({
    block_hash: "0x1",
    new_root: "0x1",
    old_root: "0x1",
    state_diff: {
      storage_diffs: {},
      nonces: {},
      deployed_contracts: [],
      old_declared_contracts: [],
      declared_classes: [],
      replaced_classes: [],
      ...diff,
    },
  });
  const pair = (key: string, value: string) => ({ key, value });

  test.each<[string, JsonObject]>([
    ["storage_diffs.0x01", { storage_diffs: { "0x1": [], "0x01": [] } }],
    ["nonces.0x01", { nonces: { "0x1": "0x0", "0x01": "0x0" } }],
    ["nonces.__proto__", { nonces: JSON.parse('{"__proto__":"0x1"}') as JsonObject }],
    ["nonces.constructor", { nonces: { constructor: "0x1" } }],
    [`nonces.${hexFromFelt(2n ** 251n)}`, { nonces: { [hexFromFelt(2n ** 251n)]: "0x1" } }],
    [
      "storage_diffs.0x1[1]",
      { storage_diffs: { "0x1": [pair("0x2", "0x3"), pair("0x02", "0x4")] } },
    ],
    [
      "declared_classes[1]",
      {
        declared_classes: [
          { class_hash: "0x1", compiled_class_hash: "0x2" },
          { class_hash: "0x1", compiled_class_hash: "0x3" },
        ],
      },
    ],
  ])("%s is rejected as contradictory or invalid", (path, diff) => {
    expect(() => readGatewayStateUpdate(update(diff))).toThrow(`state_diff.${path}: expected`);
  });

  test("may repeat a value, and list a contract without changes", () => {
    const twice = [pair("0x2", "0x3"), pair("0x02", "0x3")];
    const json = update({ storage_diffs: { "0x1": twice, "0x5": [] } });
    const { stateDiff } = readGatewayStateUpdate(json);
    expect(stateDiff.storageDiffs).toEqual(new Map([[1n, new Map([[2n, 3n]])]]));
  });
});
