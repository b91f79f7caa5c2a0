import { describe, expect, test } from "bun:test";
import { protocolRules } from "#protocol/versions/index.ts";

/**
 * First version of each rule, with the values before and since (Starknet docs, version notes;
 * public blocks).
 */
const STARTS = [
  ["0.11.1", "committedSignatures", "invoke", "all"],
  ["0.13.2", "blockCommitments", "pedersen", "poseidon"],
  ["0.13.2", "signedMessage", "hash_and_state_diff", "hash"],
  ["0.13.4", "zeroForUnsigned", true, false],
  ["0.13.4", "gasPricesHashed", false, true],
  ["0.14.0", "alwaysHashClasses", false, true],
  ["0.14.0", "maxFeeTransactions", true, false],
  ["0.14.1", "compiledClassHash", "poseidon", "blake"],
] as const;

const BEFORE: Readonly<Record<string, string>> = {
  "0.11.1": "0.11.0.2",
  "0.13.2": "0.13.1.1",
  "0.13.4": "0.13.3",
  "0.14.0": "0.13.6",
  "0.14.1": "0.14.0",
};

describe("protocolRules", () => {
  for (const [version, rule, before, since] of STARTS) {
    test(`sets ${rule} to ${since} from ${version} on`, () => {
      expect(protocolRules(BEFORE[version] ?? "")[rule]).toBe(before);
      expect(protocolRules(version)[rule]).toBe(since);
      expect(protocolRules(`${version.split(".").slice(0, 3).join(".")}.9`)[rule]).toBe(since);
    });
  }
});

test("protocolRules uses the oldest rules for blocks without a version", () => {
  expect(protocolRules("")).toEqual(protocolRules("0.0.0"));
});

test("protocolRules compares version parts as numbers", () => {
  expect(protocolRules("0.13.10").gasPricesHashed).toBe(true);
});
