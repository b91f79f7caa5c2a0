import { expect, test } from "bun:test";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { serveChain } from "#test/helpers/origin-server.ts";

const FORK = 6;
const TIMEOUT_MS = 5000;

test("the time that a class is compiled here does not count as time of the origin", async () => {
  using origin = await openOriginChain(FORK + 1);
  await using server = serveChain(origin.chain, ORIGIN_CHAIN_ID, "0.10");
  const timer = new FakeTimer();
  const compiler = {
    compile: async () => {
      // The proof is requested with the class: its deadline must not end here.
      while (timer.alarms > 0) await Bun.sleep(1);
      timer.advance(3 * TIMEOUT_MS);
      return undefined;
    },
  };
  const { fetch } = await pinnedRemote(server.url, FORK, {
    timer,
    timeoutMs: TIMEOUT_MS,
    compiler,
  });
  const [classHash = 0n] = must(origin.chain.stateDiff(0)).declaredClasses.keys();
  for (const block of [FORK, FORK - 1]) {
    expect(await fetch({ kind: "class", block, classHash })).not.toBeNull();
  }
  const methods = server.requests.flatMap(({ calls }) => calls.map(({ method }) => method));
  expect(methods).toContain("starknet_getCompiledCasm");
});
