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

test.each([
  ["no dumps are made", null],
  ["requests are recorded", "request"],
] as const)("a submission goes on with the caller of its request where %s", async (_, on) => {
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
