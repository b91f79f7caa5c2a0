import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanLoad";
const PARAMS = { network_url: "http://localhost:8545" };
const ADDRESS = `0x${"5c07".padStart(40, "0")}`;
const KEY = `0x${"3c".repeat(32)}`;

test(`${METHOD} uses or deploys a messaging contract and returns its address`, async () => {
  const { context, calls } = devnetWorld();
  const loaded = { result: { messaging_contract_address: ADDRESS } };
  expect(await askDevnet(METHOD, PARAMS, context)).toEqual(loaded);
  expect(await askDevnet(METHOD, ["https://l1.example/v1?key=1"], context)).toEqual(loaded);
  const named = { ...PARAMS, messaging_contract_address: "0x5C07" };
  expect(await askDevnet(METHOD, named, context)).toEqual(loaded);
  const keyed = { ...PARAMS, deployer_account_private_key: KEY };
  expect(await askDevnet(METHOD, keyed, context)).toEqual(loaded);
  const neither = { messaging_contract_address: null, deployer_account_private_key: null };
  expect(await askDevnet(METHOD, { ...PARAMS, ...neither }, context)).toEqual(loaded);
  const order = { url: PARAMS.network_url, address: undefined, privateKey: undefined };
  expect(calls).toEqual([
    ["loadMessaging", order],
    ["loadMessaging", { ...order, url: "https://l1.example/v1?key=1" }],
    ["loadMessaging", { ...order, address: 0x5c07n }],
    ["loadMessaging", { ...order, privateKey: KEY }],
    ["loadMessaging", order],
  ]);
});

test(`${METHOD} rejects a key together with an address`, async () => {
  const both = { messaging_contract_address: ADDRESS, deployer_account_private_key: KEY };
  expect(await askDevnet(METHOD, { ...PARAMS, ...both })).toEqual({
    error: {
      code: -1,
      message:
        "deployer_account_private_key: expected none where messaging_contract_address is given",
    },
  });
});

test(`${METHOD} rejects invalid parameters`, async () => {
  expect(await refusedPath(METHOD, {})).toBe("network_url");
  const wrong = {
    network_url: [
      8545,
      "localhost",
      "ftp://localhost",
      "ws://localhost",
      "wss://localhost",
      "",
      `http://${"l".repeat(2_048)}`,
    ],
    messaging_contract_address: ["5c07", `0x1${"0".repeat(40)}`, 1],
    deployer_account_private_key: [KEY.slice(0, -1), `${KEY}0`, KEY.slice(2), "", 7],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      expect([value, await refusedPath(METHOD, { ...PARAMS, [name]: value })]).toEqual([
        value,
        name,
      ]);
    }
  }
});
