import { describe, expect, test } from "bun:test";
import { settle } from "#test/helpers/admission-world.ts";
import { declareServiceWorld } from "#test/helpers/declare-service-world.ts";
import { COMPILED } from "#test/helpers/fake-compiler.ts";

const CLIENT = "192.0.2.1";

describe("a sender's compilations", () => {
  const uncompiled = { kind: "refused", code: "COMPILATION_FAILED", reason: "no" } as const;
  const invalid = { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" } as const;
  const mismatch = {
    ...COMPILED.compiled,
    hashes: { poseidon: 8n, blake: 9n },
    kind: "compiled",
  } as const;
  const refusals: readonly (readonly [
    why: string,
    does: Parameters<typeof declareServiceWorld>[0],
  ])[] = [
    ["a wrong compiled class hash", { compile: () => mismatch }],
    ["a class that does not compile", { compile: () => uncompiled }],
    ["a fee that is too low", { validate: () => invalid }],
  ];

  test.each(refusals)("come last after %s, which nobody pays for", async (_, does) => {
    const { declare, given } = declareServiceWorld(does);
    await declare(7n, 5n);
    await declare(8n, 5n);
    await declare(9n, 6n);
    expect(given.compile.map(([{ grade }]) => grade)).toEqual(["plain", "doubtful", "plain"]);
  });

  test.each(refusals)("from an address come last after %s of another sender", async (_, does) => {
    const { declare, given, demoted } = declareServiceWorld(does);
    await declare(7n, 5n, CLIENT);
    expect(demoted).toEqual([CLIENT]);
    await declare(8n, 6n, CLIENT);
    await declare(9n, 7n, "192.0.2.2");
    expect(given.compile.map(([{ grade }]) => grade)).toEqual(["plain", "doubtful", "plain"]);
  });

  test("after paid ones do not improve the grade of an address", async () => {
    const { declare, given, demoted } = declareServiceWorld();
    await declare(7n, 5n, CLIENT);
    await declare(8n, 6n, CLIENT);
    expect(given.compile.map(([{ grade }]) => grade)).toEqual(["plain", "plain"]);
    expect(demoted).toEqual([]);
  });

  test("come first after an accepted declaration", async () => {
    const { declare, given } = declareServiceWorld();
    await declare(7n, 5n);
    await declare(8n, 5n);
    expect(given.compile.map(([{ grade }]) => grade)).toEqual(["plain", "proven"]);
  });

  test("keep their grade after a busy compiler", async () => {
    const { declare, given } = declareServiceWorld({
      compile: () => ({ kind: "busy", reason: "classes wait", retryAfterSeconds: 3 }),
    });
    await declare(7n, 5n);
    await declare(8n, 5n);
    expect(given.compile.map(([{ grade }]) => grade)).toEqual(["plain", "plain"]);
  });
});

test("declarations from an address yield to an address that used less time", async () => {
  const { declare, hold, release, log } = declareServiceWorld();
  const numbers = (first: bigint, count: number) =>
    Array.from({ length: count }, (_, i) => first + BigInt(i));
  const inHand = numbers(1n, 25);
  for (const number of inHand) hold("prepare", number);
  const from = (client: string) => (number: bigint) => declare(number, number, client);
  const outcomes = [...inHand, ...numbers(100n, 4)].map(from(CLIENT));
  outcomes.push(...numbers(200n, 2).map(from("192.0.2.2")));
  await settle();
  expect(log).toEqual(inHand.map((number) => `prepare ${number}`));
  for (const number of inHand) release("prepare", number);
  await Promise.all(outcomes);
  const order = log.filter((step) => /^prepare [12]0\d$/.test(step));
  expect(order.slice(0, 4)).toEqual(["prepare 200", "prepare 201", "prepare 100", "prepare 101"]);
});
