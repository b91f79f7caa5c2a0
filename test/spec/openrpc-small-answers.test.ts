import { describe, expect } from "bun:test";
import { readdirSync } from "node:fs";
import type { Finality } from "#api/rpc/spec/version.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { foreignTransaction } from "#test/helpers/foreign-json.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { readAnswer as read, RECORDED, recordedPaths } from "#test/helpers/recorded-answers.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";

/** Encoded value as a client receives it. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

for (const { folder, spec, files } of RECORDED) {
  describe(`transactions of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.transactions) {
      sharedTest(file, () => {
        const json = read(folder, "transactions", file);
        const transaction = foreignTransaction(String(json["type"]), Number(json["version"]), json);
        const written = spec.transaction({
          transaction: { hash: BigInt(json["transaction_hash"] as unknown as string), transaction },
          options: { proofFacts: false },
        });
        expect(wire(written)).toEqual(wire(json));
      });
    }
  });

  describe(`transaction statuses of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.statuses) {
      sharedTest(file, () => {
        const json = read(folder, "transactions", file);
        if (json["execution_status"] === undefined) {
          const isCandidate = String(json["finality_status"]) === "CANDIDATE";
          expect(wire(spec.transactionStatus({ kind: "received", isCandidate }))).toEqual(
            wire(json),
          );
          return;
        }
        const isReverted = json["execution_status"] === ("REVERTED" as never);
        const written = spec.transactionStatus({
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

  describe(`storage values of another node's ${folder} responses round-trip unchanged`, () => {
    for (const file of files.storage) {
      sharedTest(file, () => {
        const json: unknown = read(folder, "storage_at", file);
        const answer =
          typeof json === "string"
            ? { value: BigInt(json) }
            : {
                value: BigInt((json as { value: string }).value),
                lastUpdateBlock: (json as { last_update_block: number }).last_update_block,
              };
        expect(wire(spec.storage(answer))).toEqual(json);
      });
    }
  });
}

sharedTest("conformance table counts every recorded response", () => {
  const compared = recordedPaths();
  const all = readdirSync(fixturePath("rpc-execution"), { recursive: true, encoding: "utf8" });
  const leftOut = all
    .filter((path) => path.endsWith(".json"))
    .filter((path) => !compared.includes(path));
  expectSuite("answers", { compared: compared.length, leftOut });
});
