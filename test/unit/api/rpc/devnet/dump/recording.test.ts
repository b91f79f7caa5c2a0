import { expect, test } from "bun:test";
import { type DumpAccess, RECORDER_LIMITS, RequestRecorder } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld } from "#test/helpers/devnet.ts";

/** A chain that records what is asked. */
function recording(provider: string | undefined) {
  const recorder = new RequestRecorder(0, RECORDER_LIMITS);
  const { context } = devnetWorld({
    flushMessages: () => Promise.resolve({ toL1: [], toL2: [], transactions: [], provider }),
  });
  const dumps: DumpAccess = { ...context.devnet.dumps, on: "request", recorder };
  return { recorder, context: { ...context, devnet: { ...context.devnet, dumps } } };
}

test("dumps have flushes to the L1 that is only imitated", async () => {
  const { recorder, context } = recording(undefined);
  await askDevnet("devnet_postmanFlush", { dry_run: false }, context);
  expect(recorder.requests()).toMatchObject([{ method: "devnet_postmanFlush", kind: "now" }]);
});

test("of a real L1 dumps have neither flushes nor how it is reached", async () => {
  const { recorder, context } = recording("http://127.0.0.1:8545/");
  const key = `0x${"3c".repeat(32)}`;
  const load = { network_url: "http://127.0.0.1:8545", deployer_account_private_key: key };
  await askDevnet("devnet_postmanLoad", load, context);
  await askDevnet("devnet_postmanFlush", {}, context);
  expect(recorder.requests()).toEqual([]);
});
