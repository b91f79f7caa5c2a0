import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import artifacts from "../../../../contracts/l2/artifacts.json" with { type: "json" };
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

/** The class that was read; throws the problem if there is one. */
function readable(found: ReturnType<typeof classOf>) {
  if (typeof found === "string") throw new TypeError(found);
  return found;
}

describe("a class of the genesis section", () => {
  test("stores byte arrays if its code has the constant of their keys", () => {
    expect(readable(withCode()).storesByteArrays()).toBe(false);
    // The short string `ByteArray`.
    expect(readable(withCode("0x427974654172726179")).storesByteArrays()).toBe(true);
  });

  test("has only the selectors of its external functions", () => {
    const found = readable(withCode());
    // `deployContract` and `deploy_contract`, as in calldata of public transactions.
    expect(found.functions).toEqual(
      new Set([
        0x1987cbd17808b9a23693d4de7e246a443cfe37e6e7fbaeabd7d7e6532b07c3dn,
        0x2730079d734ee55315f4f141eaed376bddd8c2133523d223a344c5604e0f7f8n,
      ]),
    );
  });

  test("has the known hashes, if there are any, and those of its texts otherwise", () => {
    const text = { classJson: SIERRA, casmJson: JSON.stringify(CASM) };
    const hashes = { classHash: 1n, compiledClassHashes: { poseidon: 2n, blake: 3n } };
    const known = readable(classOf({ ...text, hashes }));
    expect([known.bundled.classHash, known.compiledClassHash]).toEqual([1n, 3n]);
    const computed = readable(classOf(text));
    // contracts/l2/artifacts.json
    expect([computed.bundled.classHash, computed.compiledClassHash]).toEqual([
      BigInt(artifacts.universal_deployer.classHash),
      BigInt(artifacts.universal_deployer.compiledClassHashV2),
    ]);
  });

  test("is refused with its name if malformed", () => {
    expect(classOf({ classJson: "{}", casmJson: "{}" })).toStartWith("mine is not a class: ");
    expect(classOf({ classJson: "{}", casmJson: null })).toStartWith("mine is not a class: ");
  });
});
