import { describe, expect, test } from "bun:test";
import { createMethodTables } from "#api/rpc/index.ts";
import { ownSchemas } from "#test/helpers/own-openrpc.ts";
import { tableOf } from "#test/helpers/rpc.ts";

const VERSIONS = createMethodTables().map(({ spec }) => spec.version);

/** Maximum bytes of a document as text. */
const MAX_DOCUMENT_BYTES = 160_000;

/** Schemas referenced in a document. */
function referencesOf(document: unknown): Set<string> {
  const text = JSON.stringify(document);
  return new Set(
    [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, n]) => n ?? ""),
  );
}

describe.each(VERSIONS)("schemas of the OpenRPC document of %s", (version) => {
  const { document } = ownSchemas(version);

  test("are exactly the referenced ones", () => {
    const names = Object.keys(document.components.schemas);
    expect([...referencesOf(document)].toSorted()).toEqual(names.toSorted());
  });

  test("cover every result and parameter of the specification's methods", () => {
    const { methods, subscriptions } = tableOf(version);
    const own = new Set([...methods.keys(), ...subscriptions.keys()].map((n) => `starknet_${n}`));
    const silent = document.methods
      .filter(({ name }) => own.has(name))
      .flatMap(({ name, params, result }) => [
        ...params
          .filter(({ schema }) => Object.keys(schema).length === 0)
          .map((p) => [name, p.name]),
        ...(Object.keys(result.schema).length === 0 ? [[name, "result"]] : []),
      ]);
    expect(silent).toEqual([]);
  });

  test("fit in a reasonable download size", () => {
    expect(JSON.stringify(document).length).toBeLessThan(MAX_DOCUMENT_BYTES);
  });

  test("reject results with extra, missing or malformed members", () => {
    const block = { block_hash: "0x1", block_number: 7 };
    const findings = (result: unknown) =>
      ownSchemas(version).resultFindings("blockHashAndNumber", result).length;
    expect(findings(block)).toBe(0);
    for (const wrong of [
      { ...block, more: 1 },
      { block_hash: "0x1" },
      { ...block, block_hash: "0x01" },
      { ...block, block_hash: "0xA" },
      { ...block, block_hash: `0x1${"0".repeat(63)}` },
      { ...block, block_number: -1 },
      { ...block, block_number: "7" },
      null,
    ]) {
      expect({ wrong, refused: findings(wrong) > 0 }).toEqual({ wrong, refused: true });
    }
  });
});

const FELT_ONE = "0x1";
const CALL = { contract_address: "0x1", entry_point_selector: "0x02", calldata: ["0xA"] };
const INVOKE = {
  type: "INVOKE",
  version: "0x3",
  signature: [],
  nonce: "0x0",
  sender_address: "0x1",
  calldata: [],
  resource_bounds: {
    l1_gas: { max_amount: "0x1", max_price_per_unit: "0x1" },
    l1_data_gas: { max_amount: "0x1", max_price_per_unit: "0x1" },
    l2_gas: { max_amount: "0x1", max_price_per_unit: "0x1" },
  },
  tip: "0x0",
  paymaster_data: [],
  account_deployment_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
};
const QUERY = "0x100000000000000000000000000000003";

/** Accepted and rejected parameter values: the decoder and the schema must agree. */
const VALUES: readonly (readonly [
  method: string,
  param: string,
  read: readonly unknown[],
  refused: readonly unknown[],
])[] = [
  [
    "getNonce",
    "contract_address",
    [FELT_ONE, "0x01", "0xAb", `0x${"0".repeat(63)}1`, `0x7${"f".repeat(62)}`],
    ["1", "0x", "0xg", 1, null, `0x9${"0".repeat(62)}`, `0x${"0".repeat(64)}1`],
  ],
  [
    "getNonce",
    "block_id",
    ["latest", { block_hash: FELT_ONE }, { block_number: 3 }],
    ["newest", {}, { block_hash: FELT_ONE, block_number: 3 }, { block_number: -1 }, 3, null],
  ],
  ["getStorageAt", "key", [FELT_ONE, `0x07${"f".repeat(62)}`], [`0x8${"0".repeat(62)}`, "0x"]],
  ["call", "request", [CALL, { ...CALL, more: 1 }], [{ ...CALL, calldata: "0x1" }, {}, []]],
  [
    "getEvents",
    "filter",
    [
      { chunk_size: 10 },
      { chunk_size: 1, from_block: null, address: "0x1", keys: [["0x1"], []] },
      { chunk_size: 1, to_block: { block_number: 1 }, continuation_token: "a" },
    ],
    [{}, { chunk_size: -1 }, { chunk_size: 1, keys: ["0x1"] }, { chunk_size: 1, address: 5 }],
  ],
  [
    "addInvokeTransaction",
    "invoke_transaction",
    [INVOKE, { ...INVOKE, version: QUERY }],
    [{ ...INVOKE, nonce: undefined }, { ...INVOKE, tip: `0x1${"0".repeat(16)}` }, {}, null],
  ],
  [
    "estimateFee",
    "request",
    [[], [INVOKE, INVOKE]],
    [INVOKE, [{ ...INVOKE, type: "OTHER" }], [{}]],
  ],
];

describe.each(VERSIONS)("parameters of %s", (version) => {
  const table = createMethodTables().find(({ spec }) => spec.version === version);

  test.each(VALUES)(
    "schema of %s: %s accepts what the decoder accepts",
    (method, param, read, refused) => {
      const schemas = ownSchemas(version);
      for (const value of read) {
        expect({ value, found: schemas.paramFindings(method, param, value) }).toEqual({
          value,
          found: [],
        });
      }
      for (const value of refused) {
        const found = schemas.paramFindings(method, param, JSON.parse(JSON.stringify(value)));
        expect({ value, refused: found.length > 0 }).toEqual({ value, refused: true });
      }
      expect(table?.methods.has(method)).toBe(true);
    },
  );

  test("decoders accept and reject the examples", () => {
    const decoders: Readonly<Record<string, { decode(value: unknown, path: string): unknown }>> = {
      block_id: table?.spec.blockId ?? never(),
      contract_address: table?.spec.felt ?? never(),
      key: table?.spec.storageKey ?? never(),
      filter: table?.spec.eventFilter ?? never(),
      invoke_transaction: table?.spec.invoke ?? never(),
      request: table?.spec.anyTransactions ?? never(),
    };
    for (const [method, param, read, refused] of VALUES) {
      const decoder = method === "call" ? table?.spec.functionCall : decoders[param];
      for (const value of read) expect(() => decoder?.decode(value, param)).not.toThrow();
      for (const value of refused) expect(() => decoder?.decode(value, param)).toThrow();
    }
  });
});

function never(): never {
  throw new RangeError("every version has it");
}
