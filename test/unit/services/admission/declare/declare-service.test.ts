import { describe, expect, test } from "bun:test";
import { encodeContractClass, encodedTransaction } from "#protocol/chain/index.ts";
import { classBytesOf } from "#services/admission/declare/declaration.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { declareServiceWorld, allSteps } from "#test/helpers/declare-service-world.ts";
import { classOf, COMPILED } from "#test/helpers/fake-compiler.ts";
import { packedClass } from "#test/helpers/packed-class.ts";
import { classSizeOf, preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

const CLIENT = "192.0.2.1";

const STEPS = ["prepare", "judge", "compile", "validate", "submit"] as const;

describe("an acceptable declaration", () => {
  test("passes every step in order and gets the last step's outcome", async () => {
    const { declare, log, refused } = declareServiceWorld();
    expect(await declare(7n)).toEqual({ kind: "accepted", transactionHash: 7n, classHash: 7n });
    expect([log, refused]).toEqual([allSteps(7n), []]);
  });

  test.each(STEPS)("waits for an unfinished step: %s", async (step) => {
    const { declare, hold, release, log } = declareServiceWorld();
    hold(step, 7n);
    const outcome = declare(7n);
    await settle();
    expect(log).toEqual(allSteps(7n).slice(0, STEPS.indexOf(step) + 1));
    release(step, 7n);
    expect((await outcome).kind).toBe("accepted");
  });

  test("is judged by its hashed transaction and the size of its class", async () => {
    const { declare, declarationOf, given } = declareServiceWorld();
    await declare(7n);
    const declaration = declarationOf(7n);
    expect(given.judge).toEqual([[preparedOf(declaration).hashed.bytes, classSizeOf(declaration)]]);
  });

  test("has its class compiled for its sender, not as a trial", async () => {
    const { declare, declarationOf, given } = declareServiceWorld();
    await declare(7n, 5n, CLIENT);
    const { classHash } = preparedOf(declarationOf(7n)).hashed.transaction;
    const classBytes = encodeContractClass(classOf(7n));
    expect(given.compile).toEqual([
      [{ sender: 5n, client: CLIENT, classHash, classBytes, grade: "plain" }],
    ]);
  });

  test("is validated again with the total size of compiled code, program and ABI", async () => {
    const { declare, declarationOf, given } = declareServiceWorld({
      prepare: () => ({
        ...preparedOf(declarationOf(7n)),
        sierraProgramLength: 100,
        abiLength: 11,
      }),
    });
    await declare(7n);
    const { bytecodeLength } = COMPILED.compiled;
    expect(given.validate).toEqual([
      [preparedOf(declarationOf(7n)).hashed.bytes, (bytecodeLength + 100) * 32 + 11],
    ]);
  });

  test("is sent to the mempool with its class and compiled code", async () => {
    const { declare, declarationOf, given } = declareServiceWorld();
    await declare(7n);
    const contractClass = classBytesOf(given.prepare[0]?.[0] ?? new Uint8Array());
    expect(given.submit).toEqual([
      [
        preparedOf(declarationOf(7n)).hashed.bytes,
        { contractClass, casmJson: COMPILED.compiled.casmJson },
      ],
    ]);
    expect(contractClass).toEqual(encodeContractClass(classOf(7n)));
  });
});

describe("a declaration of a Cairo 0 class", () => {
  const { compiledClassHash: _compiled, ...of } = sentDeclaration(7n).transaction;
  const transaction = { ...of, version: 1, maxFee: 5n } as const;
  const declaration = { transaction, contractClass: packedClass({ felts: 1 }) };
  const unpacked = encodeContractClass({ kind: "legacy", json: "{}" });

  test("is rejected before any step if the chain does not accept its version", async () => {
    const { service, log } = declareServiceWorld();
    expect(await service.declare(declaration, CLIENT)).toMatchObject({
      code: "UNSUPPORTED_TX_VERSION",
    });
    expect(log).toEqual([]);
  });

  test("is judged and stored unpacked, without compilation", async () => {
    const limits = {
      maxCalldataLength: 10,
      chargeFees: true,
      takesFree: false,
      maxFeeTransactions: true,
    };
    const hashed = encodedTransaction({ hash: 9n, transaction: { ...transaction, classHash: 8n } });
    const prepare = () => ({ ...preparedOf(sentDeclaration(7n)), hashed, unpacked });
    const { service, given, log } = declareServiceWorld({ prepare }, { limits: () => limits });
    expect((await service.declare(declaration, CLIENT)).kind).toBe("accepted");
    expect(log.map((step) => step.split(" ")[0])).toEqual(["prepare", "judge", "submit"]);
    expect(given.judge).toEqual([[hashed.bytes, unpacked.byteLength]]);
    expect(given.submit).toEqual([[hashed.bytes, { contractClass: unpacked, casmJson: null }]]);
  });
});

describe("a declaration is rejected", () => {
  const refusal = (code: "VALIDATION_FAILURE" | "DUPLICATE_TX") =>
    ({ kind: "rejected", code, reason: "because" }) as const;

  test("if its program is too long, before it is copied", async () => {
    const { service, declarationOf, log, refused } = declareServiceWorld();
    const contractClass = classOf(7n, 81_921);
    expect(await service.declare({ ...declarationOf(7n), contractClass }, CLIENT)).toEqual({
      kind: "rejected",
      code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE",
      reason: "the Sierra program has 81921 felts, at most 81920 are allowed",
    });
    expect([log, refused]).toEqual([[], ["CONTRACT_CLASS_SIZE_IS_TOO_LARGE"]]);
  });

  test("by its preparation, before it is judged", async () => {
    const { declare, log, refused } = declareServiceWorld({
      prepare: () => refusal("VALIDATION_FAILURE"),
    });
    expect(await declare(7n)).toEqual(refusal("VALIDATION_FAILURE"));
    expect([log, refused]).toEqual([["prepare 7"], ["VALIDATION_FAILURE"]]);
  });

  test("by the mempool, before it is compiled", async () => {
    const { declare, log, refused } = declareServiceWorld({
      judge: () => refusal("DUPLICATE_TX"),
    });
    expect(await declare(7n)).toEqual(refusal("DUPLICATE_TX"));
    expect([log, refused]).toEqual([["prepare 7", "judge 7"], ["DUPLICATE_TX"]]);
  });

  test.each(["COMPILATION_FAILED", "CONTRACT_CLASS_SIZE_IS_TOO_LARGE"] as const)(
    "if its class does not compile: %s",
    async (code) => {
      const { declare, log, refused } = declareServiceWorld({
        compile: () => ({ kind: "refused", code, reason: "because" }),
      });
      expect(await declare(7n)).toEqual({ kind: "rejected", code, reason: "because" });
      expect([log.at(-1), refused]).toEqual(["compile 7", [code]]);
    },
  );

  test("if it names another hash than its class compiles to", async () => {
    const { declare, log, refused } = declareServiceWorld({}, { hashFunction: "poseidon" });
    expect(await declare(7n)).toMatchObject({ code: "COMPILED_CLASS_HASH_MISMATCH" });
    expect([log.at(-1), refused]).toEqual(["compile 7", ["COMPILED_CLASS_HASH_MISMATCH"]]);
  });

  test("if its fee is too low for its code, before submission to the mempool", async () => {
    const code = "INSUFFICIENT_RESOURCES_FOR_VALIDATE";
    const { declare, log, refused } = declareServiceWorld({
      validate: () => ({ kind: "refused", code, reason: "because" }),
    });
    expect(await declare(7n)).toEqual({ kind: "rejected", code, reason: "because" });
    expect([log.at(-1), refused]).toEqual(["validate 7", [code]]);
  });

  test("by the mempool at submission", async () => {
    const { declare, refused } = declareServiceWorld({ submit: () => refusal("DUPLICATE_TX") });
    expect(await declare(7n)).toEqual(refusal("DUPLICATE_TX"));
    expect(refused).toEqual(["DUPLICATE_TX"]);
  });
});

describe("a declaration gets a retry time if there is no room", () => {
  test.each(["prepare", "validate"] as const)("for its %s step", async (step) => {
    const { declare, log, refused } = declareServiceWorld({ [step]: () => undefined });
    expect(await declare(7n)).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "the node is busy: too many long validations are in progress; try again in 5 s",
      retryAfterSeconds: 5,
    });
    expect([log.at(-1), refused]).toEqual([`${step} 7`, ["BUSY"]]);
  });

  test("for its compilation, as given by the compilers", async () => {
    const { declare, log, refused } = declareServiceWorld({
      compile: () => ({ kind: "busy", reason: "the node cannot compile", retryAfterSeconds: 17 }),
    });
    expect(await declare(7n)).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "the node cannot compile; try again in 17 s",
      retryAfterSeconds: 17,
    });
    expect([log.at(-1), refused]).toEqual(["compile 7", ["BUSY"]]);
  });
});

describe("a declaration whose nonce is used", () => {
  const NONCE = { kind: "rejected", code: "INVALID_TRANSACTION_NONCE", reason: "used" } as const;

  /** Service that accepts the first declaration of a class, then finds its nonce used. */
  function afterFirst(isIncluded: (hash: bigint) => boolean) {
    const sent = new Set<bigint>();
    const world = declareServiceWorld(
      {
        prepare: (number) => (sent.has(number) ? NONCE : preparedOf(world.declarationOf(number))),
      },
      { isIncluded },
    );
    const again = (number: bigint) => {
      sent.add(number);
      return world.declare(number);
    };
    return { ...world, again };
  }

  test("is a duplicate if it used the nonce itself", async () => {
    const { declare, again, refused } = afterFirst((hash) => hash === 7n);
    await declare(7n);
    expect(await again(7n)).toMatchObject({ kind: "rejected", code: "DUPLICATE_TX" });
    expect(refused).toEqual(["DUPLICATE_TX"]);
  });

  test("keeps its refusal if it was received but is in no block", async () => {
    const { declare, again } = afterFirst(() => false);
    await declare(7n);
    expect(await again(7n)).toEqual(NONCE);
  });

  test("keeps its refusal if its sender signed a different one before", async () => {
    const { service, declarationOf, declare, again } = afterFirst(() => true);
    await declare(7n);
    await again(7n);
    const { transaction, contractClass } = declarationOf(7n);
    for (const other of [{ signature: [9n] }, { senderAddress: 99n }, { nonce: 5n }]) {
      const declaration = { transaction: { ...transaction, ...other }, contractClass };
      expect(await service.declare(declaration, CLIENT)).toEqual(NONCE);
    }
  });

  test("keeps refusals for other reasons", async () => {
    const mismatch = {
      kind: "rejected",
      code: "CLASS_ALREADY_DECLARED",
      reason: "declared",
    } as const;
    let isFirst = true;
    const { declare } = declareServiceWorld(
      { judge: () => (isFirst ? null : mismatch) },
      { isIncluded: () => true },
    );
    await declare(7n);
    isFirst = false;
    expect(await declare(7n)).toEqual(mismatch);
  });
});
