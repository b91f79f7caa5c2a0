import { expect, test } from "bun:test";
import {
  createMethodTables,
  type DumpAccess,
  RECORDER_LIMITS,
  RequestRecorder,
  withDevnet,
} from "#api/rpc/index.ts";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { askDevnet, devnetWorld } from "#test/helpers/devnet.ts";
import { requestText } from "#test/helpers/dispatch.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";

/** Chain that records requests. */
function recording(provider: string | undefined) {
  const recorder = new RequestRecorder({ genesis: 0, newest: 0 }, RECORDER_LIMITS);
  const { context } = devnetWorld({
    flushMessages: () => Promise.resolve({ toL1: [], toL2: [], transactions: [], provider }),
  });
  const dumps: DumpAccess = { ...context.devnet.dumps, on: "request", recorder };
  return { recorder, context: { ...context, devnet: { ...context.devnet, dumps } } };
}

test("dumps include flushes to the mock L1", async () => {
  const { recorder, context } = recording(undefined);
  await askDevnet("devnet_postmanFlush", { dry_run: false }, context);
  expect(recorder.requests()).toMatchObject([{ method: "devnet_postmanFlush", kind: "now" }]);
});

test("dumps include neither flushes to a real L1 nor its URL and key", async () => {
  const { recorder, context } = recording("http://127.0.0.1:8545/");
  const key = `0x${"3c".repeat(32)}`;
  const load = { network_url: "http://127.0.0.1:8545", deployer_account_private_key: key };
  await askDevnet("devnet_postmanLoad", load, context);
  await askDevnet("devnet_postmanFlush", {}, context);
  expect(recorder.requests()).toEqual([]);
});

test.each([
  ["dumps are off", null],
  ["requests are recorded", "request"],
] as const)("submissions keep the caller of their request where %s", async (_, on) => {
  const { context } = recording(undefined);
  const clients: unknown[] = [];
  const take = (_: unknown, client: unknown) => {
    clients.push(client);
    return Promise.resolve({ kind: "accepted", transactionHash: 5n } as const);
  };
  const dumps = { ...context.devnet.dumps, on };
  const submit = { submit: take, declare: take };
  const dispatcher = dispatcherOf({ ...context, submit, devnet: { ...context.devnet, dumps } });
  const body = requestText({ method: "starknet_addInvokeTransaction", params: [INVOKE] });
  const [newest] = createMethodTables();
  await dispatcher.handle(body, withDevnet(newest), notesOf({ caller: CLIENT }));
  expect(clients.map((client) => client === CLIENT)).toEqual([true]);
});
