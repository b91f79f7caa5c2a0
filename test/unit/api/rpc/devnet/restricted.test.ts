import { expect, test } from "bun:test";
import {
  createMethodTables,
  DEFAULT_RESTRICTED_METHODS,
  withDevnet,
  withRestricted,
} from "#api/rpc/index.ts";
import { devnetWorld } from "#test/helpers/devnet.ts";
import { answerText, dispatcherOf } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();
const { context, calls } = devnetWorld();
const dispatcher = dispatcherOf(context);

async function ask(method: string, names: readonly string[], params: object = []) {
  const table = withRestricted(withDevnet(newest), names);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return JSON.parse(await answerText(dispatcher, body, table)) as Record<string, unknown>;
}

const FORBIDDEN = { error: { code: -32604, message: "Method forbidden" } };

test("a forbidden method does nothing, whatever its parameters", async () => {
  expect(await ask("devnet_mint", ["devnet_mint"], { address: "0x1", amount: 5 })).toMatchObject(
    FORBIDDEN,
  );
  expect(await ask("devnet_mint", ["devnet_mint"], ["nonsense"])).toMatchObject(FORBIDDEN);
  expect(calls).toEqual([]);
});

test("a method of the specification is forbidden under both of its names", async () => {
  for (const name of ["starknet_call", "chain_call"]) {
    expect(await ask("starknet_call", [name])).toMatchObject(FORBIDDEN);
    expect(await ask("chain_call", [name])).toMatchObject(FORBIDDEN);
    expect(await ask("starknet_blockNumber", [name])).toHaveProperty("result");
  }
});

test("every method restricted by default exists", () => {
  for (const name of DEFAULT_RESTRICTED_METHODS) {
    expect([name, withDevnet(newest).find(name) !== undefined]).toEqual([name, true]);
  }
});
