import { expect, test } from "bun:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { packLegacyClass, unpackLegacyClass } from "#protocol/chain/index.ts";
import { packedClass } from "#test/helpers/packed-class.ts";

const MAX_BYTES = 1 << 20;

const textOf = (packed: string): string => gunzipSync(Buffer.from(packed, "base64")).toString();

test("packLegacyClass restores an unpacked class, with its program unchanged", async () => {
  const program = '{"z": 1e5, "a": [ 0.10, "\\u00e9" ], "1": {}, "prime": 12345678901234567890123}';
  for (const abi of ["", '[{"z":1,"a":"x"}]']) {
    const sent = {
      ...packedClass({ felts: 2 }),
      program: gzipSync(program).toString("base64"),
      abi,
    };
    const unpacked = unpackLegacyClass(sent, MAX_BYTES);
    const again = await packLegacyClass(unpacked?.contractClass ?? { kind: "legacy", json: "" });
    expect({ ...again, program: textOf(again.program) }).toEqual({ ...sent, program });
    expect(unpackLegacyClass(again, MAX_BYTES)).toEqual(unpacked as NonNullable<typeof unpacked>);
  }
});

test("packLegacyClass rejects text that is not an unpacked Cairo 0 class", async () => {
  for (const json of ["[]", "{}", '{"program":{},"entry_points_by_type":{}}', '{ "abi": [] }']) {
    const packing = packLegacyClass({ kind: "legacy", json });
    expect(await packing.then(() => "packed", String)).toContain("expected a Cairo 0 class");
  }
});
