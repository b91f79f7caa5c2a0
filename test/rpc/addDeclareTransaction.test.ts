import { expect, test } from "bun:test";
import { DECLARE } from "#test/helpers/broadcasted.ts";
import { errorOf } from "#test/helpers/rpc.ts";
import { errorObject, testBadParams } from "./common.ts";

const METHOD = "addDeclareTransaction";

test("says that it is not built yet", async () => {
  expect(await errorOf(METHOD, { declare_transaction: DECLARE })).toEqual({
    code: -32603,
    message: "Internal error",
    data: "addDeclareTransaction is not built yet",
  });
});

test("version 2 is UNSUPPORTED_TX_VERSION", async () => {
  expect(await errorOf(METHOD, [{ ...DECLARE, version: "0x2" }])).toMatchObject(
    errorObject("UNSUPPORTED_TX_VERSION"),
  );
});

testBadParams(
  METHOD,
  { declare_transaction: { ...DECLARE, contract_class: { sierra_program: [] } } },
  "declare_transaction.contract_class.contract_class_version",
);
