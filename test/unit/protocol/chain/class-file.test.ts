import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { classFromFile } from "#protocol/chain/index.ts";

const ACCOUNT = readFileSync("contracts/l2/account.sierra.json", "utf8");
const members = JSON.parse(ACCOUNT) as Readonly<Record<string, unknown>>;

describe("classFromFile", () => {
  test("accepts scarb's additional members and its ABI as JSON", () => {
    const abi: unknown =
      typeof members["abi"] === "string" ? JSON.parse(members["abi"]) : members["abi"];
    const scarb = { ...members, abi, sierra_program_debug_info: { type_names: [[0, "felt252"]] } };
    const read = classFromFile(JSON.stringify(scarb));
    expect(read).toEqual(classFromFile(JSON.stringify({ ...members, abi })));
    expect(read.kind).toBe("sierra");
  });

  test("recognises a Cairo 0 class by its program", () => {
    const text = '{"abi":[],"entry_points_by_type":{},"program":{"data":[]}}';
    expect(classFromFile(text)).toEqual({ kind: "legacy", json: text });
  });

  test.each([
    ["", "not JSON"],
    ["felt252 = 1;", "not JSON (JSON Parse error: Unexpected identifier"],
    ["[1]", "expected a Sierra class as scarb"],
    ["{}", "expected a Sierra class as scarb"],
    ['{"bytecode":[]}', "this is a compiled class"],
    ['{"contracts":[]}', "scarb's list of artifacts"],
    ['{"version":1,"program":{"type_declarations":[]}}', "of a library"],
    ['{"program":"H4sI"}', "packed"],
    ['{"sierra_program":["0x1"]}', "contract_class_version: expected"],
    [JSON.stringify({ ...members, sierra_program: ["1x"] }), "sierra_program[0]: expected felt"],
    [`{"sierra_program":[${"9".repeat(2000)}]}`, "at most 1024 digits"],
    ["[".repeat(1000), "at most 128 levels"],
    [`{"sierra_program":[${"[],".repeat(8_000_000)}[]]}`, "at most 8000000 arrays"],
  ])("%#: rejects another file with an explanation", (text, part) => {
    expect(() => classFromFile(text)).toThrow(part);
  });
});
