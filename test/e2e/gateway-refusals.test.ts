import { beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { contractAddress, type DeclareV3, type InvokeV3 } from "#protocol/chain/index.ts";
import {
  addTransaction,
  gatewaySierra,
  type GatewaySend,
  signedForGateway,
  strkTransfer,
  undeclaredAccount,
  V3_MEMBERS,
  withGateway,
} from "#test/helpers/gateway-sends.ts";
import { ONE_TOKEN, STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const gateway = await withGateway();
const chain = useChain({ args: gateway.args });

const DECLARED = undeclaredAccount('["declared"]');
const UNDECLARED = undeclaredAccount('["not declared"]');
const UNKNOWN_CLASS = 0x404n;
const NOWHERE = contractAddress(0n, 1n, UNKNOWN_CLASS, []);

const none = { maxAmount: 0n, maxPricePerUnit: 0n };
const most = { maxAmount: 1_000_000_000n, maxPricePerUnit: 10n ** 30n };
const bounds = (bound: typeof none) => ({ l1Gas: bound, l1DataGas: bound, l2Gas: bound });

/** Signs for an account. */
function sign(index: number, unsigned: GatewaySend, contractClass?: unknown) {
  return signedForGateway(chain.signer(index), CHAIN_ID, unsigned, contractClass);
}

/** Transfer of an account; account 4 has sent one, the others have not. */
const transfer = (index: number, to: bigint, nonce = 0n) =>
  sign(index, strkTransfer(chain.signer(index), to, nonce));

const invoke = (changed: Partial<InvokeV3>) =>
  sign(3, { ...strkTransfer(chain.signer(3), 1n, 0n), ...changed }).body;

const declare = (of: typeof DECLARED, contractClass: unknown, changed: Partial<DeclareV3> = {}) =>
  sign(3, { ...of.declare(chain.signer(3).address, 0n), ...changed }, contractClass).body;

beforeAll(async () => {
  const { signer } = chain;
  const first = [
    transfer(4, 1n),
    sign(0, strkTransfer(signer(0), BigInt(STRK), 0n, ONE_TOKEN)),
    sign(0, strkTransfer(signer(0), NOWHERE, 1n, ONE_TOKEN)),
    sign(0, DECLARED.declare(signer(0).address, 2n), gatewaySierra(DECLARED.sierra)),
  ];
  for (const { body, hash } of first) {
    expect(await addTransaction(gateway.url, body)).toMatchObject({ status: 200 });
    await chain.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
  }
}, 60_000);

test.each<readonly [string, () => object]>([
  ["INVALID_TRANSACTION_NONCE", () => transfer(4, 2n).body],
  ["DUPLICATED_TRANSACTION", () => transfer(4, 1n).body],
  ["VALIDATE_FAILURE", () => ({ ...invoke({}), signature: ["0x1", "0x2"] })],
  ["INSUFFICIENT_MAX_FEE", () => invoke({ resourceBounds: bounds(none) })],
  ["INSUFFICIENT_ACCOUNT_BALANCE", () => invoke({ resourceBounds: bounds(most) })],
  ["TRANSACTION_LIMIT_EXCEEDED", () => invoke({ feeDataAvailabilityMode: 1 })],
  ["NON_PERMITTED_CONTRACT", () => invoke({ senderAddress: BigInt(STRK) })],
  [
    "INVALID_TRANSACTION_VERSION",
    () => ({ ...invoke({}), version: hexFromFelt((1n << 128n) + 3n) }),
  ],
  ["INVALID_TRANSACTION_VERSION", () => ({ ...invoke({}), version: "0x1", max_fee: "0x1" })],
  ["INVALID_PROOF", () => ({ ...invoke({}), proof: "AAAA", proof_facts: ["0x1"] })],
  [
    "UNDECLARED_CLASS",
    () =>
      sign(3, {
        type: "DEPLOY_ACCOUNT",
        ...V3_MEMBERS,
        contractAddress: NOWHERE,
        contractAddressSalt: 1n,
        classHash: UNKNOWN_CLASS,
        constructorCalldata: [],
      }).body,
  ],
  ["CLASS_ALREADY_DECLARED", () => declare(DECLARED, gatewaySierra(DECLARED.sierra))],
  [
    "INVALID_COMPILED_CLASS_HASH",
    () => declare(UNDECLARED, gatewaySierra(UNDECLARED.sierra), { compiledClassHash: 1n }),
  ],
  [
    "INVALID_CONTRACT_CLASS_VERSION",
    () => declare(DECLARED, gatewaySierra({ ...DECLARED.sierra, contractClassVersion: "9.9.9" })),
  ],
  [
    "COMPILATION_FAILED",
    () => declare(DECLARED, { ...gatewaySierra(DECLARED.sierra), sierra_program: "AAAA" }),
  ],
  [
    "CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE",
    () => {
      const sierraProgram = Array<bigint>(81_921).fill(1n);
      return declare(DECLARED, gatewaySierra({ ...DECLARED.sierra, sierraProgram }));
    },
  ],
])("a transaction is rejected with %s and a reason", async (code, body) => {
  const { status, json } = await addTransaction(gateway.url, body());
  expect([status, json]).toEqual([
    400,
    { code: `StarknetErrorCode.${code}`, message: expect.any(String) },
  ]);
});

test("an underpriced replacement is rejected with the required tip", async () => {
  const waits = transfer(5, 1n, 2n);
  expect((await addTransaction(gateway.url, waits.body)).status).toBe(200);
  expect((await addTransaction(gateway.url, transfer(5, 2n, 2n).body)).json).toMatchObject({
    code: "StarknetErrorCode.REPLACEMENT_TRANSACTION_UNDERPRICED",
    message: expect.stringContaining("tip"),
  });
});

test.each<readonly [string, object | string]>([
  ["MALFORMED_REQUEST", "{"],
  ["MALFORMED_REQUEST", "[]"],
  ["SCHEMA_VALIDATION_ERROR", "{}"],
  ["SCHEMA_VALIDATION_ERROR", { type: "INVOKE_FUNCTION", version: "0x3" }],
])("%s is returned for the malformed body %p", async (code, body) => {
  const { status, json } = await addTransaction(gateway.url, body);
  expect([status, json]).toMatchObject([400, { code: `StarkErrorCode.${code}` }]);
});
