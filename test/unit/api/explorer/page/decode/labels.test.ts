import { expect, test } from "bun:test";
import { labelsOf, labelsText } from "#api/explorer/page/decode/labels.ts";

test("an export is imported again, with addresses in their normal form", () => {
  const labels = new Map([
    ["0xb", "Bob"],
    ["0xa", "Alice"],
  ]);
  expect(labelsOf(labelsText(labels))).toEqual({ labels, problems: [] });
  expect([...labelsOf('{"0x00AB": " Carol "}').labels]).toEqual([["0xab", "Carol"]]);
});

test("an export is sorted by address", () => {
  const labels = new Map([
    ["0xb", "Bob"],
    ["0xa", "Alice"],
  ]);
  expect(labelsText(labels)).toBe(
    '{\n  "labels": {\n    "0xa": "Alice",\n    "0xb": "Bob"\n  }\n}\n',
  );
});

const UNUSABLE = ": expected an address or hash in hex, with a label of 1 to 60 characters.";

test.each([
  ["no JSON", "{", 'Expected JSON: {"labels": {"0x1": "name"}}.'],
  ["a list", "[]", 'Expected JSON: {"labels": {"0x1": "name"}}.'],
  ["megabytes", " ".repeat(4_000_001), 'Expected JSON: {"labels": {"0x1": "name"}}.'],
  ["another key", '{"bob": "Bob"}', `bob${UNUSABLE}`],
  ["a number", '{"0x1": 5}', `0x1${UNUSABLE}`],
  ["a blank label", '{"0x1": " "}', `0x1${UNUSABLE}`],
  ["a long label", `{"0x1": "${"a".repeat(61)}"}`, `0x1${UNUSABLE}`],
  ["a prototype", '{"__proto__": "x"}', `__proto__${UNUSABLE}`],
])("skips %s and says why", (_, text, problem) => {
  expect(labelsOf(text)).toEqual({ labels: new Map(), problems: [problem] });
});
