import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import type { Finality } from "#api/rpc/spec/version.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { foreignTransaction } from "#test/helpers/foreign-json.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { readAnswer as read, RECORDED, recordedPaths } from "#test/helpers/recorded-answers.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";

/** An encoded value as a client sees it. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe("transactions read from another node's answers are written the same", () => {
  for (const file of RECORDED.transactions) {
    sharedTest(file, () => {
      const json = read("transactions", file);
      const transaction = foreignTransaction(String(json["type"]), Number(json["version"]), json);
      const written = SPEC_0_10_2.transaction({
        transaction: { hash: BigInt(json["transaction_hash"] as unknown as string), transaction },
        options: { proofFacts: false },
      });
      expect(wire(written)).toEqual(wire(json));
    });
  }
});

describe("states of transactions are written as in another node's answers", () => {
  for (const file of RECORDED.statuses) {
    sharedTest(file, () => {
      const json = read("transactions", file);
      const isReverted = json["execution_status"] === ("REVERTED" as never);
      const written = SPEC_0_10_2.transactionStatus({
        kind: "executed",
        finality: String(json["finality_status"]) as Finality,
        receipt: fakeReceipt({
          transactionHash: 1n,
          status: isReverted
            ? { kind: "reverted", reason: String(json["failure_reason"]) }
            : { kind: "succeeded" },
        }),
      });
      expect(wire(written)).toEqual(wire(json));
    });
  }
});

describe("storage values are written as in another node's answers", () => {
  for (const file of RECORDED.storage) {
    sharedTest(file, () => {
      const json: unknown = read("storage_at", file);
      const answer =
        typeof json === "string"
          ? { value: BigInt(json) }
          : {
              value: BigInt((json as { value: string }).value),
              lastUpdateBlock: (json as { last_update_block: number }).last_update_block,
            };
      expect(wire(SPEC_0_10_2.storage(answer))).toEqual(json);
    });
  }
});

sharedTest("the table of conformance counts every recorded answer", () => {
  const compared = recordedPaths();
  const all = readdirSync(fixturePath("rpc-execution"), { recursive: true, encoding: "utf8" });
  const leftOut = all
    .filter((path) => path.endsWith(".json"))
    .map((path) => path.replace(/^0\.10\.0\//, "").replace(/^(0\.[89]\.0)\//, "v$1 "))
    .filter((path) => !compared.includes(path));
  expectSuite("answers", { compared: compared.length, leftOut });
});
