import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { parseJson } from "#base/codec/index.ts";
import { casmClassFromJson, sierraClassFromJson, sierraClassHash } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { classOutcome } from "#app/cli/class/class-outcome.ts";
import { longCode } from "#test/helpers/hostile-classes/declarations.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";
import { sierraText } from "#test/helpers/sierra-text.ts";

interface Golden {
  readonly id: string;
  readonly poseidon: string;
  readonly blake: string;
}

interface Members {
  readonly sierra_program: readonly string[];
}

const membersOf = (name: string): Members =>
  JSON.parse(readFileSync(`contracts/l2/${name}.sierra.json`, "utf8")) as Members;

const members = membersOf("account");

const outcomeOf = (program: readonly string[]) =>
  classOutcome({
    text: JSON.stringify({ ...members, sierra_program: program }),
    maxBytecodeSize: null,
  });

sharedTest("a golden class compiles to the golden file and both golden hashes", () => {
  const goldens = readFixtureJson("casm-golden", "index.json") as readonly Golden[];
  const golden = goldens.find(({ id }) => id === "02f4bd29df5b");
  const textOf = (kind: string): string =>
    readFileSync(fixturePath("casm-golden", `02f4bd29df5b.${kind}.json`), "utf8");
  const outcome = classOutcome({ text: textOf("sierra"), maxBytecodeSize: null });
  if (outcome.kind !== "compiled") throw new TypeError(JSON.stringify(outcome));
  expect(outcome).toMatchObject({
    classHash: hexFromFelt(sierraClassHash(sierraClassFromJson(textOf("sierra")))),
    poseidonHash: golden?.poseidon,
    blakeHash: golden?.blake,
    bytecodeSize: casmClassFromJson(textOf("casm")).bytecode.length,
    sierraSize: sierraClassFromJson(textOf("sierra")).sierraProgram.length,
  });
  // The golden file also has Python hints, which nothing reads.
  const expected = parseJson(textOf("casm")) as Readonly<Record<string, unknown>>;
  const { pythonic_hints: _, ...rest } = expected;
  expect(parseJson(outcome.casm)).toEqual(rest as never);
});

test("a class above the network's limit compiles without a limit", () => {
  expect(classOutcome({ text: sierraText(longCode(80)), maxBytecodeSize: null })).toMatchObject({
    kind: "compiled",
    bytecodeSize: 81_921,
  });
});

describe("a class that does not compile has a class hash and a reason", () => {
  test.each([
    ["of an unknown version", ["0x2", ...members.sierra_program.slice(1)], "expected 1.0 to 1."],
    ["that is truncated", members.sierra_program.slice(0, 900), "damaged: expected"],
    ["without a program", [], "versions of Sierra"],
  ])("%s", (_name, program, part) => {
    expect(outcomeOf(program)).toEqual({
      kind: "refused",
      classHash: expect.stringMatching(/^0x[0-9a-f]+$/),
      reason: expect.stringContaining(part),
    });
  });

  test("because of one felt of bytecode, with the limit and its option", () => {
    const text = JSON.stringify(membersOf("universal_deployer"));
    const whole = classOutcome({ text, maxBytecodeSize: null });
    if (whole.kind !== "compiled") throw new TypeError(JSON.stringify(whole));
    expect(classOutcome({ text, maxBytecodeSize: whole.bytecodeSize })).toEqual(whole);
    const limit = whole.bytecodeSize - 1;
    expect(classOutcome({ text, maxBytecodeSize: limit })).toEqual({
      kind: "refused",
      classHash: whole.classHash,
      reason: expect.stringContaining(`(--max-bytecode-size ${limit})`),
    });
  });
});

/** The program with the lowest bit of one felt flipped. */
const damagedAt = (at: number): readonly string[] =>
  members.sierra_program.map((felt, i) =>
    i === at ? `0x${(BigInt(felt) ^ 1n).toString(16)}` : felt,
  );

test("names the statement and its libfunc in an error", () => {
  expect(outcomeOf(damagedAt(1510))).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/branch 0 falls through instead of.* \(statement #\d+ is \w+\)$/),
  });
  expect(outcomeOf(damagedAt(1835))).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/^statement #\d+ \(store_temp\): variable \d+ is unknown$/),
  });
});

sharedTest("Cairo 0 classes have only their hash", () => {
  const folder = "classes/starknet-rs/contracts/cairo0/artifacts/pre-0.10.0";
  const files = readdirSync(fixturePath(folder)).filter((file) => file.endsWith(".txt"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const text = readFileSync(fixturePath(folder, file), "utf8");
    const hashes = readFixtureJson(folder, file.replace(".txt", ".hashes.json"));
    expect(classOutcome({ text, maxBytecodeSize: null })).toEqual({
      kind: "legacy",
      classHash: (hashes as { readonly class_hash: string }).class_hash,
    });
  }
});

test("rejects a malformed Cairo 0 class with the wrong field", () => {
  const outcome = classOutcome({ text: '{"program":{}}', maxBytecodeSize: null });
  expect(outcome).toEqual({ kind: "invalid", reason: expect.stringContaining("program") });
});

test("rejects other JSON with the expected form", () => {
  expect(classOutcome({ text: "{}", maxBytecodeSize: null })).toEqual({
    kind: "invalid",
    reason: expect.stringMatching(/^expected a Sierra class/),
  });
});
