import { expect, test } from "bun:test";
import { compileForOrigin } from "#app/node/fork/compile-for-origin.ts";
import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";

const REQUEST = {
  kind: "compile",
  id: 7,
  classHash: 5n,
  contractClass: Buffer.from("class"),
} as const;

function compilerOf(outcome: CompileOutcome) {
  const requests: CompileRequest[] = [];
  const compile = async (request: CompileRequest): Promise<CompileOutcome> => {
    requests.push(request);
    return outcome;
  };
  return { compile, requests };
}

const COMPILED: CompileOutcome = {
  kind: "compiled",
  casmJson: "{}",
  bytecodeLength: 1,
  hashes: { poseidon: 1n, blake: 2n },
};

test("compiles a class of the origin without a sender's quota", async () => {
  const compiler = compilerOf(COMPILED);
  const answer = await compileForOrigin(compiler, REQUEST);
  expect(answer).toEqual({
    kind: "compiled",
    id: 7,
    outcome: { kind: "compiled", casmJson: "{}" },
  });
  expect(compiler.requests).toEqual([
    { sender: 0n, classHash: 5n, classBytes: REQUEST.contractClass, isTrial: true },
  ]);
});

test("distinguishes a class that cannot be compiled from a busy compiler", async () => {
  const refused = compilerOf({ kind: "refused", code: "COMPILATION_FAILED", reason: "too new" });
  expect(await compileForOrigin(refused, REQUEST)).toMatchObject({
    outcome: { kind: "refused", reason: "too new" },
  });
  const busy = compilerOf({ kind: "busy", reason: "all busy", retryAfterSeconds: 3 });
  expect(await compileForOrigin(busy, REQUEST)).toMatchObject({
    outcome: { kind: "busy", reason: "all busy" },
  });
});
