import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { GenesisClass } from "#protocol/config/index.ts";
import { type ClassText, readGenesisClass } from "#services/sequencer/genesis-class.ts";

const MINE: GenesisClass = {
  name: "mine",
  source: { kind: "files", sierraPath: "/mine.json", casmPath: null },
};

const read = (path: string): string => readFileSync(`contracts/l2/${path}`, "utf8");
const SIERRA = read("universal_deployer.sierra.json");
const CASM = JSON.parse(read("build/universal_deployer.casm.json")) as { bytecode: string[] };

const classOf = (text: ClassText) => readGenesisClass(MINE, () => text, "blake");

/** The universal deployer with felts after its code. */
function withCode(...felts: readonly string[]) {
  const casmJson = JSON.stringify({
    ...CASM,
    bytecode: [...CASM.bytecode, ...felts],
    bytecode_segment_lengths: undefined,
  });
  return classOf({ classJson: SIERRA, casmJson });
}

describe("a class of the genesis section", () => {
  test("stores byte arrays if its code has the constant of their keys", () => {
    expect(withCode()).toHaveProperty("storesByteArrays", false);
    // The short string `ByteArray`.
    expect(withCode("0x427974654172726179")).toHaveProperty("storesByteArrays", true);
  });

  test("has only the selectors of its external functions", () => {
    const found = withCode();
    if (typeof found === "string") throw new TypeError(found);
    // `deployContract` and `deploy_contract`, as in calldata of public transactions.
    expect(found.functions).toEqual(
      new Set([
        0x1987cbd17808b9a23693d4de7e246a443cfe37e6e7fbaeabd7d7e6532b07c3dn,
        0x2730079d734ee55315f4f141eaed376bddd8c2133523d223a344c5604e0f7f8n,
      ]),
    );
  });

  test("is refused with its name if malformed", () => {
    expect(classOf({ classJson: "{}", casmJson: "{}" })).toStartWith("mine is not a class: ");
    expect(classOf({ classJson: "{}", casmJson: null })).toStartWith("mine is not a class: ");
  });
});
