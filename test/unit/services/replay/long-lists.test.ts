import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { DeclareWorld } from "#test/helpers/declare-world.ts";
import { lie } from "#test/helpers/replay-lies.ts";
import { produce, replay } from "#test/helpers/replay-world.ts";

/** Felts of the token's calldata; the account gets four more. */
const FELTS = 2_500;

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
  const token = world.setup.config.nativeFeeTokenAddress;
  const calldata = Array.from({ length: FELTS }, (_, i) => BigInt(i) << 100n);
  await produce(world, world.invoke(0n, token, selectorFromName("transfer"), calldata));
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const calldata = ["traces", 0, "trace_root", "validate_invocation", "calldata"] as const;

describe("a replay of a transaction with more felts than a trace keeps", () => {
  test("agrees with an honest node", async () => {
    expect(await replay(world, 1)).toMatchObject({ kind: "agrees" });
  });

  test("locates a different felt to within 1024 felts", async () => {
    for (const [index, place] of [
      [0, "[0..1023]"],
      [1_500, "[1024..2047]"],
      [FELTS + 3, `[2048..${FELTS + 3}]`],
    ] as const) {
      const tamper = lie("traceBlockTransactions", [...calldata, index], () => "0xbad");
      const outcome = await replay(world, 1, tamper);
      expect(outcome).toMatchObject({
        kind: "differs",
        difference: {
          field: `trace.validate_invocation.calldata${place}`,
          transaction: { index: 0 },
        },
      });
    }
  });

  test("names a different length", async () => {
    const tamper = lie("traceBlockTransactions", calldata, (list) => (list as unknown[]).slice(1));
    expect(await replay(world, 1, tamper)).toMatchObject({
      kind: "differs",
      difference: {
        field: "trace.validate_invocation.calldata.length",
        ours: String(FELTS + 4),
        theirs: String(FELTS + 3),
      },
    });
  });
});
