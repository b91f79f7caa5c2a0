import { expect, test } from "bun:test";
import { askDevnet, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanLoad";
const PARAMS = { network_url: "http://localhost:8545" };
const ADDRESS = `0x${"5c07".padStart(40, "0")}`;
const KEY = `0x${"3c".repeat(32)}`;

test(`${METHOD} tells where the messaging contract of the imitated L1 stands`, async () => {
  const loaded = { result: { messaging_contract_address: ADDRESS } };
  expect(await askDevnet(METHOD, PARAMS)).toEqual(loaded);
  expect(await askDevnet(METHOD, ["wss://l1.example/v1?key=1"])).toEqual(loaded);
  expect(await askDevnet(METHOD, { ...PARAMS, messaging_contract_address: "0x5C07" })).toEqual(
    loaded,
  );
  expect(await askDevnet(METHOD, { ...PARAMS, deployer_account_private_key: KEY })).toEqual(loaded);
  const neither = { messaging_contract_address: null, deployer_account_private_key: null };
  expect(await askDevnet(METHOD, { ...PARAMS, ...neither })).toEqual(loaded);
});

test(`${METHOD} knows of no other contract, and takes no key beside an address`, async () => {
  const other = `0x${"ab".repeat(20)}`;
  expect(await askDevnet(METHOD, { ...PARAMS, messaging_contract_address: other })).toEqual({
    error: {
      code: -1,
      message: `The specified address (${other}) contains no contract: L1 is only imitated here, its messaging contract is ${ADDRESS}`,
    },
  });
  const both = { messaging_contract_address: ADDRESS, deployer_account_private_key: KEY };
  expect(await askDevnet(METHOD, { ...PARAMS, ...both })).toEqual({
    error: {
      code: -1,
      message:
        "deployer_account_private_key: expected none where messaging_contract_address is given",
    },
  });
});

test(`${METHOD} names what is wrong`, async () => {
  expect(await refusedPath(METHOD, {})).toBe("network_url");
  const wrong = {
    network_url: [8545, "localhost", "ftp://localhost", "", `http://${"l".repeat(2_048)}`],
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
