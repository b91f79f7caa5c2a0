import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { answerCommand } from "#app/node/compiler/answer-command.ts";
import { decodeAnswer, encodeAnswer, encodeCommand } from "#app/node/compiler/compiler-messages.ts";

const ROOT = join(import.meta.dir, "../../../../..");
const account = sierraClassFromJson(
  readFileSync(join(ROOT, "contracts/l2/account.sierra.json"), "utf8"),
);

test("a class above the limit of bytecode is refused with the limit", () => {
  const classBytes = encodeContractClass(account);
  const answer = answerCommand(encodeCommand({ maxBytecodeSize: 100, classBytes }));
  expect(answer).toMatchObject({ kind: "failed", code: "CASM_TOO_LARGE" });
  expect(answer.kind === "failed" && answer.message).toContain("100");
});

test("whatever the bytes are, there is an answer", () => {
  const legacy = encodeContractClass({ kind: "legacy", json: "{}" });
  const cut = encodeContractClass(account).subarray(0, 1000);
  for (const classBytes of [new Uint8Array(), new Uint8Array(50).fill(255), legacy, cut]) {
    const answer = answerCommand(encodeCommand({ maxBytecodeSize: 81_920, classBytes }));
    expect(answer).toMatchObject({ kind: "failed", code: "DECODE_FAILED" });
  }
  expect(answerCommand(new Uint8Array())).toMatchObject({ kind: "failed" });
});

test("an answer comes out of its bytes as it went in", () => {
  for (const answer of [
    { kind: "failed", code: "A", message: "b" },
    { kind: "compiled", compiled: { casmJson: '{"é":1}', hashes: { poseidon: 5n, blake: 6n } } },
  ] as const) {
    expect(decodeAnswer(encodeAnswer(answer))).toEqual(answer);
  }
});
