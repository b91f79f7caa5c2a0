import { expect, test } from "bun:test";
import artifacts from "../../../../../../contracts/l2/artifacts.json";
import { KNOWN_SUBJECTS, knownSubjectsOf } from "#api/explorer/page/decode/known-names.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { PUBLIC_ADDRESSES } from "#protocol/config/index.ts";

const idsOf = (kind: string) =>
  KNOWN_SUBJECTS.filter((one) => one.kind === kind).map(({ id }) => id);

test("knows the deployers at their public addresses", () => {
  const { universalDeployer, legacyUniversalDeployer } = PUBLIC_ADDRESSES;
  expect(idsOf("contract")).toEqual([universalDeployer, legacyUniversalDeployer].map(hexFromFelt));
});

test("knows every shipped class by its hash", () => {
  const shipped = Object.values(artifacts).map(({ classHash }) => classHash);
  expect(idsOf("class").toSorted()).toEqual(shipped.toSorted());
});

test.each([
  ["UDC", ["Universal deployer", "Universal deployer, first version", "Universal deployer"]],
  ["legacy_udc", ["Universal deployer, first version"]],
  ["account", ["Account of development chains"]],
  ["erc20", ["ERC-20 token"]],
  ["Token bridge", ["Token bridge"]],
  ["ud", []],
  ["nothing", []],
])("finds by %p", (text, names) => {
  expect(knownSubjectsOf(text).map(({ name }) => name)).toEqual(names);
});
