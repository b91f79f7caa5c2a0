import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type JsonObject, parseJson, stringifyJson } from "#base/codec/index.ts";
import { placesOf } from "#test/helpers/json-places.ts";
import { fixturePath, fixtureTest } from "#test/helpers/shared.ts";
import {
  readStrictly,
  type StrictForm,
  StrictReaderError,
} from "#test/helpers/strict-gateway/index.ts";

const gatewayTest = fixtureTest("gateway-blocks");

function fixture(path: string): string {
  return readFileSync(fixturePath("gateway-blocks", ...path.split("/")), "utf8");
}

/** Path at which strict reading fails; `undefined` if it succeeds. */
function failure(form: StrictForm, answer: string): string | undefined {
  try {
    readStrictly(form, answer);
    return undefined;
  } catch (error) {
    if (error instanceof StrictReaderError) return error.path;
    throw error;
  }
}

describe("the strict gateway reader", () => {
  for (const [form, path] of [
    ["block", "pre_0.7.0/block/mainnet_genesis.json"],
    ["block", "0.7.0/block/mainnet_2240.json"],
    ["block", "0.8.0/block/mainnet_2500.json"],
    ["block", "0.9.0/block/mainnet_2800.json"],
    ["block", "0.11.1/block/mainnet_65000.json"],
    ["block", "0.13.2/block/sepolia_integration_35748.json"],
    ["block", "0.13.4/block/sepolia_integration_63881.json"],
    ["stateUpdate", "0.12.2/state-update/350000.json"],
    ["stateUpdate", "0.13.2/state_update/sepolia_integration_35748.json"],
    ["stateUpdate", "0.13.4/state_update/sepolia_integration_63881.json"],
    ["wholeBlock", "0.13.1/state_update_with_block/sepolia_integration_9703.json"],
    ["signature", "0.13.2/signature/sepolia_integration_35748.json"],
    ["blockTraces", "0.13.4/traces/sepolia_testnet_30000.json"],
  ] as const) {
    gatewayTest(`reads ${path}`, () => {
      expect(failure(form, fixture(path))).toBeUndefined();
    });
  }

  for (const name of ["contract_definition", "cairo-0.11.0-decimal-entry-point-offset"]) {
    fixtureTest("classes/pathfinder-gateway")(`reads the class ${name}`, () => {
      const path = fixturePath("classes", "pathfinder-gateway", `${name}.json`);
      expect(failure("contractClass", readFileSync(path, "utf8"))).toBeUndefined();
    });
  }

  gatewayTest("rejects a pending block where an accepted one is expected", () => {
    const path = "0.13.1/state_update_with_block/sepolia_integration_pending.json";
    expect(failure("wholeBlock", fixture(path))).toStartWith("wholeBlock.block");
  });

  gatewayTest("rejects signatures in the form used before 2024", () => {
    const answer = fixture("0.12.2/signature/350000.json");
    expect(failure("signature", answer)).toBe("signature.block_hash");
  });

  /** Objects in which unknown members are accepted. */
  const OPEN = /(resource_bounds|L1_GAS|L2_GAS|builtin_instance_counter|_invocation|_calls\[\d\])$/;

  for (const [form, path] of [
    ["block", "0.13.4/block/sepolia_integration_63881.json"],
    ["block", "0.13.2/block/sepolia_integration_35748.json"],
    ["stateUpdate", "0.13.4/state_update/sepolia_integration_63881.json"],
    ["blockTraces", "0.13.4/traces/sepolia_testnet_30000.json"],
  ] as const) {
    gatewayTest(`rejects an unknown member in any object of ${path}`, () => {
      const document = parseJson(fixture(path)) as JsonObject;
      const added = stringifyJson({ ...document, unknown: "0x1" });
      expect(failure(form, added)).toBe(`${form}.unknown`);
      let refused = 0;
      for (const place of placesOf(document)) {
        const { value } = place;
        if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
        const wrong = place.with({ ...(value as JsonObject), unknown: "0x1" });
        const found = failure(form, stringifyJson(wrong));
        if (OPEN.test(place.path)) expect([place.path, found]).toEqual([place.path, undefined]);
        else {
          expect([place.path, found?.split(" ")[0]]).toEqual([
            place.path,
            `${form}.${place.path}.unknown`,
          ]);
          refused++;
        }
      }
      expect(refused).toBeGreaterThan(3);
    });
  }

  gatewayTest("rejects a block without a member that every block has", () => {
    const document = parseJson(fixture("0.8.0/block/mainnet_2500.json")) as JsonObject;
    for (const name of Object.keys(document)) {
      const { [name]: _missing, ...rest } = document;
      const isOptional = name === "sequencer_address";
      expect([name, failure("block", stringifyJson(rest)) === undefined]).toEqual([
        name,
        isOptional,
      ]);
    }
  });

  test.each<[StrictForm, string, string | undefined]>([
    ["headerOnly", '{"block_hash":"0x1","block_number":1}', undefined],
    ["headerOnly", '{"block_hash":"0x1","block_number":1,"status":"x"}', "headerOnly.status"],
    ["headerOnly", '{"block_hash":"0x1","block_number":1.0}', "headerOnly.block_number"],
    ["headerOnly", '{"block_hash":"0x1","block_number":"1"}', "headerOnly.block_number"],
    ["headerOnly", '{"block_hash":1,"block_number":1}', "headerOnly.block_hash"],
    ["publicKey", '"0x1"', undefined],
    ["publicKey", '"1"', "publicKey"],
    ["publicKey", `"0x${"0".repeat(64)}1"`, "publicKey"],
    ["contractAddresses", '{"Starknet":"0x1"}', undefined],
    ["contractAddresses", `{"Starknet":"0x1${"0".repeat(40)}"}`, "contractAddresses.Starknet"],
    ["preConfirmedDelta", '{"changed":false}', undefined],
    ["preConfirmedDelta", '{"changed":true}', "preConfirmedDelta.block_identifier"],
    ["preConfirmedDelta", "{}", "preConfirmedDelta.changed"],
    [
      "transactionStatus",
      '{"tx_status":"NOT_RECEIVED","finality_status":"NOT_RECEIVED","execution_status":null}',
      undefined,
    ],
    [
      "transactionStatus",
      '{"tx_status":"PRE_CONFIRMED","finality_status":"PRE_CONFIRMED"}',
      "transactionStatus.finality_status",
    ],
    ["invoked", '{"code":"TRANSACTION_RECEIVED","transaction_hash":"0x1"}', undefined],
    ["invoked", '{"code":"A","transaction_hash":"0x1","class_hash":"0x1"}', "invoked.class_hash"],
    ["declared", '{"code":"A","transaction_hash":"0x1"}', "declared.class_hash"],
    ["error", '{"code":"StarknetErrorCode.BLOCK_NOT_FOUND","message":""}', undefined],
    ["error", '{"code":1,"message":""}', "error.code"],
  ])("checks the members of %s: %s", (form, answer, expected) => {
    expect(failure(form, answer)).toBe(expected as string);
  });
});
