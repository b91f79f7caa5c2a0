import { describe, expect, test } from "bun:test";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { decodeFelts } from "#api/explorer/page/abi/decode.ts";
import { typeNameOf } from "#api/explorer/page/abi/type-name.ts";

const field = (type: string) => ({ name: "value", type, kind: "" });
const struct = (name: string, ...types: string[]) => ({
  type: "struct",
  name,
  members: types.map((type, i) => ({ name: `m${i}`, type })),
});
const event = (name: string, ...types: string[]) => ({
  type: "event",
  name,
  kind: "enum",
  variants: types.map((type, i) => ({ name: `v${i}`, type, kind: "nested" })),
});

describe("readAbi", () => {
  test.each([
    ["undefined", undefined],
    ["a number", 5],
    ["an object", { type: "function" }],
    ["text that is no JSON", "[{"],
    ["text of another JSON value", '{"a":1}'],
    ["deeply nested JSON", "[".repeat(200_000)],
  ])("names %s as no list", (_, source) => {
    expect(readAbi(source)).toMatchObject({
      functions: [],
      problems: ["The ABI is no JSON list."],
    });
  });

  test.each<[string, unknown, string]>([
    ["null", null, "An entry has no usable type and name: "],
    ["a number", 5, "An entry has no usable type and name: 5"],
    ["an entry without name", { type: "function" }, "An entry has no usable type and name: "],
    ["a numeric name", { type: "struct", name: 7 }, "An entry has no usable type and name: "],
    ["an unknown kind", { type: "x", name: "a" }, "x “a”: the kind of entry is unknown"],
    [
      "inputs that are no list",
      { type: "function", name: "f", inputs: 5 },
      "function “f”: its members are no list",
    ],
    [
      "an input without type",
      { type: "function", name: "f", inputs: [{ name: "a" }] },
      "function “f”: member 0 has no usable type",
    ],
    [
      "an interface without items",
      { type: "interface", name: "i", items: null },
      "interface “i”: it has no list of items",
    ],
    ["an event of no entry", event("e", "gone"), "event “e”: no event is named gone"],
  ])("skips %s and reads the entries after it", (_, entry, problem) => {
    const after = { type: "function", name: "after", inputs: [], outputs: [] };
    const abi = readAbi([entry, after]);
    expect(abi.problems[0]).toStartWith(problem);
    expect(abi.functions.at(-1)?.name).toBe("after");
  });

  test("reads 10 000 entries, and reports those beyond", () => {
    const functions = Array.from({ length: 10_050 }, (_, i) => ({
      type: "function",
      name: `f${i}`,
    }));
    expect(readAbi(functions.slice(0, 10_000))).toMatchObject({ problems: [] });
    const abi = readAbi(JSON.stringify(functions));
    expect(abi.functions).toHaveLength(10_000);
    expect(abi.problems).toEqual(["Only the first 10000 entries are read."]);
  });

  test("bounds the list of problems", () => {
    expect(readAbi(Array.from({ length: 5_000 }, () => null)).problems).toHaveLength(21);
  });

  test("ends enumerations of events that contain themselves or multiply", () => {
    const names = Array.from({ length: 40 }, (_, i) => `e${i}`);
    const doubling = names.map((name, i) => event(name, `e${i + 1}`, `e${i + 1}`));
    const leaf = { type: "event", name: "e40", kind: "struct", members: [] };
    const loop = event("loop", "loop");
    const root = event("root", "loop", "e0");
    expect(readAbi([...doubling, leaf, loop, root]).events.length).toBeLessThan(20_000);
  });

  test("reads names of the object prototype as names", () => {
    const abi = readAbi([struct("constructor", "felt"), struct("__proto__", "constructor")]);
    expect(decodeFelts(abi, [field("__proto__")], ["0x5"])).toMatchObject({ problem: null });
    expect(decodeFelts(abi, [field("toString")], ["0x5"]).problem).toBe(
      "the ABI does not declare toString",
    );
  });
});

describe("decodeFelts", () => {
  const abi = readAbi([
    struct("loop", "loop"),
    struct("pair", "half", "half"),
    struct("half", "pair", "pair"),
    struct("empty"),
    struct("list", "core::array::Array::<list>"),
    struct("boxed", "core::box::Box::<boxed>"),
  ]);

  test.each<[string, string, string[], string]>([
    ["a type that contains itself", "loop", ["0x1"], "cut at 64 nested values"],
    ["types that multiply", "pair", ["0x1"], "cut at 64 nested values"],
    ["an undeclared type", "gone::Type", ["0x1"], "the ABI does not declare gone::Type"],
    ["a text that is no type", "(felt", ["0x1"], "“(felt” is no type"],
    ["felts that end early", "core::integer::u256", ["0x1"], "the felts end before the last value"],
    [
      "an array longer than its felts",
      "core::array::Array::<felt>",
      ["0xffffffff", "0x1"],
      "a list of 4294967295 elements, with 1 felt left",
    ],
    [
      "an array of units without end",
      "core::array::Array::<()>",
      ["0xffffffff"],
      "a list of 4294967295 elements, with 0 felts left",
    ],
    [
      "an unknown variant",
      "core::option::Option::<felt>",
      ["0x2"],
      "core::option::Option::<felt> has no variant 2",
    ],
    [
      "a malformed ByteArray",
      "core::byte_array::ByteArray",
      ["0x0", "0x100", "0x1"],
      "a ByteArray is cut off or malformed",
    ],
    ["a Cairo 0 array without length", "felt*", ["0x1"], "no value_len is before the array"],
  ])("stops at %s", (_, type, felts, problem) => {
    const { problem: found, values } = decodeFelts(abi, [field(type)], felts);
    expect(found).toBe(problem);
    expect(values).toHaveLength(1);
  });

  test("returns the felts after the failure raw", () => {
    const fields = [field("felt"), field("gone"), field("felt")];
    const { values, rest } = decodeFelts(abi, fields, ["0x1", "0x2", "0x3"]);
    expect(values.map(({ kind, text }) => [kind, text])).toEqual([
      ["scalar", "0x1"],
      ["raw", ""],
    ]);
    expect(rest).toEqual(["0x2", "0x3"]);
  });

  test("marks a felt outside the range of its type, and continues", () => {
    const list = decodeFelts(
      abi,
      [field("core::integer::u8"), field("core::bool")],
      ["0x100", "0x1"],
    );
    expect(list.values.map(({ text, problem }) => [text, problem])).toEqual([
      ["0x100", "0x100 is no core::integer::u8"],
      ["true", null],
    ]);
    expect(list.problem).toBe("0x100 is no core::integer::u8");
  });

  test("cuts after the maximum number of values, with a mark on the list", () => {
    const felts = ["0x1388", ...Array.from({ length: 5_000 }, () => "0x1")];
    const { values, rest, problem } = decodeFelts(
      abi,
      [field("core::array::Array::<felt>")],
      felts,
      100,
    );
    expect(problem).toBe("cut after 100 values");
    expect(values[0]).toMatchObject({ kind: "list", text: "5000 elements", problem });
    expect(values[0]?.children.length).toBe(100);
    expect(rest.length).toBe(5_001 - (values[0]?.end ?? 0));
  });

  // Values at the depths 0 to 64, and the one that fails at 65. A box is no value, but counts.
  test.each([
    ["structures", "loop", 66],
    ["boxes in structures", "boxed", 34],
  ])("shows %s down to a depth of 64", (_, type, count) => {
    const { values } = decodeFelts(abi, [field(type)], ["0x1"]);
    let shown = 0;
    for (let value = values[0]; value !== undefined; value = value.children[0]) shown++;
    expect(shown).toBe(count);
  });

  test("reads 200 nested lists of lists without a result deeper than 64", () => {
    const { problem } = decodeFelts(
      abi,
      [field("list")],
      Array.from({ length: 200 }, () => "0x1"),
    );
    expect(problem).toBe("cut at 64 nested values");
  });

  test("reads felts that are no felts as 0", () => {
    expect(decodeFelts(abi, [field("felt")], ["<b>"]).values[0]?.text).toBe("0x0");
  });
});

describe("typeNameOf", () => {
  test.each([
    "",
    "(",
    "[felt; 3",
    "[felt; -1]",
    "[felt; 99999999]",
    "a<b",
    "a<b>>",
    "felt felt",
    "<script>",
    "(".repeat(3_000) + ")".repeat(3_000),
    "a".repeat(1_000_000),
  ])("reads %p as no type", (text) => {
    expect(JSON.stringify(typeNameOf(text))).toContain('"unknown"');
  });
});
