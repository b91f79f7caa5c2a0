import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  Account,
  extractContractHashes,
  json,
  type LegacyCompiledContract,
  RpcProvider,
} from "starknet-v6";
import { rawCall } from "#test/helpers/binary.ts";
import { sentPackedClass } from "#test/helpers/packed-class.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** Last version before transactions with a single maximum fee were removed. */
const OLD_PROTOCOL = ["--chain-config-override", "latest_protocol_version=0.13.6"];
const CLASS = "classes/blockifier/feature_contracts/cairo0/compiled/test_contract2_compiled.json";

const chain = useChain({ args: OLD_PROTOCOL });

sharedTest(
  "a Cairo 0 class is declared, estimated and served on a chain before 0.14.0",
  async () => {
    const provider = new RpcProvider({ nodeUrl: `${chain.url}/rpc/v0_7` });
    const { address, private_key: key } = chain.accounts[0] ?? { address: "", private_key: "" };
    const account = new Account(provider, address, key, "1");
    const contract = json.parse(readFileSync(fixturePath(CLASS), "utf8")) as LegacyCompiledContract;
    // Computed once: the client would hash the class, which takes seconds, for each request.
    const hashed = extractContractHashes({ contract });
    const { suggestedMaxFee } = await account.estimateDeclareFee(hashed);
    expect(suggestedMaxFee).toBeGreaterThan(0n);
    const { transaction_hash, class_hash } = await account.declare(hashed);
    const receipt = await provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    expect(receipt.isSuccess()).toBe(true);
    const { result } = await rawCall(chain.url, "starknet_getClass", ["latest", class_hash]);
    const { program } = result as { program: string };
    const text = new TextDecoder().decode(Bun.gunzipSync(Buffer.from(program, "base64")));
    expect((JSON.parse(text) as { data: string[] }).data).toEqual([...contract.program.data]);
    const { result: sent } = await rawCall(chain.url, "starknet_getTransactionByHash", [
      transaction_hash,
    ]);
    expect(sent).toMatchObject({ type: "DECLARE", version: "0x1", class_hash });
  },
);

test("a Cairo 0 class with an unknown hint is rejected with the hint's text", async () => {
  const declaration = {
    type: "DECLARE",
    version: "0x1",
    max_fee: "0x2386f26fc10000",
    signature: ["0x1", "0x2"],
    nonce: "0xff",
    sender_address: chain.accounts.at(-1)?.address,
    contract_class: sentPackedClass({ felts: 2, hints: { 1: "print(ids.x)" } }),
  };
  const text =
    "this node cannot execute a part of contract_class: the hint at program counter 1: print(ids.x)";
  const declared = await rawCall(chain.url, "starknet_addDeclareTransaction", [declaration]);
  expect(declared.error).toMatchObject({ code: 56, data: text });
  const estimate = [[declaration], ["SKIP_VALIDATE"], "latest"];
  const estimated = await rawCall(chain.url, "starknet_estimateFee", estimate);
  expect(estimated.error).toMatchObject({ code: 41, data: { execution_error: text } });
});
