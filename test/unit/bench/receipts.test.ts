import { expect, spyOn, test } from "bun:test";
import { checkReceipts } from "#test/bench/compare/receipts.ts";
import { FRESH_RECIPIENTS, recipientOf } from "#test/bench/compare/transfer-messages.ts";

const ACCOUNTS = ["0xa", "0xb"].map((address) => ({ address, privateKey: "0x1" }));

/** An accepted transfer with its receipt; `change` alters its text. */
function transfer(
  number: number,
  change: (text: string) => string = (text) => text,
  recipients = FRESH_RECIPIENTS,
): unknown {
  const recipient = `0x${recipientOf(number, recipients).toString(16)}`;
  const text = JSON.stringify({
    transaction: {
      type: "INVOKE",
      sender_address: ACCOUNTS[number % 2]?.address,
      nonce: `0x${(number >> 1).toString(16)}`,
      calldata: ["0x1", "0x2", "0x3", "0x3", recipient, "0x1", "0x0"],
    },
    receipt: {
      transaction_hash: "0x1",
      execution_status: "SUCCEEDED",
      finality_status: "ACCEPTED_ON_L2",
      events: [{ keys: ["0x9", "0xa", recipient], data: ["0x1", "0x0"] }],
    },
  });
  return JSON.parse(change(text));
}

/** Number of missing or wrong transfers among `count` on a chain with these blocks. */
async function faultsOf(
  blocks: readonly (readonly unknown[])[],
  count: number,
  recipients = FRESH_RECIPIENTS,
): Promise<number> {
  using _quiet = spyOn(console, "log").mockImplementation(() => undefined);
  using server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method, params } = (await request.json()) as {
        readonly method: string;
        readonly params: { readonly block_id?: { readonly block_number: number } };
      };
      const number = params.block_id?.block_number ?? 0;
      const isNumber = method === "starknet_blockNumber";
      return Response.json({
        result: isNumber ? blocks.length - 1 : { transactions: blocks[number] },
      });
    },
  });
  return await checkReceipts({ url: server.url.href, accounts: ACCOUNTS }, count, recipients);
}

test("checkReceipts finds no fault if each transfer occurs once, among other transactions", async () => {
  const declare = { transaction: { type: "DECLARE" }, receipt: {} };
  const blocks = [[declare], [transfer(0), transfer(1)], [], [transfer(3), transfer(2)]];
  expect(await faultsOf(blocks, 4)).toBe(0);
});

test("checkReceipts accepts alternating recipients", async () => {
  const block = [0, 1, 2, 3].map((number) => transfer(number, undefined, 2));
  expect(await faultsOf([block], 4, 2)).toBe(0);
  expect(await faultsOf([block], 4, 3)).toBeGreaterThan(0);
});

test.each([
  ["missing", [transfer(0)]],
  ["duplicated", [transfer(0), transfer(1), transfer(1)]],
  ["of another sender", [transfer(0), transfer(1, (text) => text.replace('"0xb"', '"0xa"'))]],
  ["reverted", [transfer(0), transfer(1, (text) => text.replace("SUCCEEDED", "REVERTED"))]],
  [
    "not accepted",
    [transfer(0), transfer(1, (text) => text.replace("ACCEPTED_ON_L2", "RECEIVED"))],
  ],
  [
    "without its event",
    [transfer(0), transfer(1, (text) => text.replace(/"keys":.*\]/, '"keys":[],"data":[]}]'))],
  ],
])("checkReceipts finds a transfer that is %s", async (_, block) => {
  expect(await faultsOf([block], 2)).toBeGreaterThan(0);
});
