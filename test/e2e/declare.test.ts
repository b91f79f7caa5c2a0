import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Account, type CompiledSierra, hash, json } from "starknet";
import { compileClass } from "#engine/sierra/index.ts";
import { compiledClassHash, sierraClassFromJson } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { signedDeclare } from "#test/helpers/signed-declare.ts";
import { ProgramBuilder } from "#test/helpers/hostile-classes/program-builder.ts";
import { clientClassHash, clientCompiledClassHash } from "#test/helpers/client-hashes.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { isFullSize } from "#test/helpers/test-size.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const chain = useChain();

const OWNER = "0x5eed";

/** A class, and calls of a contract of it. */
interface ClassCase {
  readonly version: string;
  /** Whether it is declared only at full size; suites of the compiler compile all of them. */
  readonly isFullOnly?: boolean;
  /** Path below the fixtures' classes; `casm` is the compiled class that the client hashes. */
  readonly sierra: string;
  readonly casm?: string;
  readonly deployWith?: readonly string[];
  readonly invoke?: readonly [entrypoint: string, ...calldata: string[]];
  readonly call: readonly [entrypoint: string, ...calldata: string[]];
  readonly answer: readonly string[];
}

const JS = "starknet-js/cairo";

const CASES: readonly ClassCase[] = [
  {
    version: "1.1.0",
    sierra: "pathfinder-gateway/sierra-1.1.0-balance.json",
    casm: "pathfinder-gateway/sierra-1.1.0-balance.casm.json",
    deployWith: ["0x7"],
    invoke: ["increase_balance", "0x5"],
    call: ["get_balance"],
    answer: ["0xc"],
  },
  {
    version: "1.2.0",
    isFullOnly: true,
    sierra: "pathfinder-rpc/storage_access.json",
    casm: "pathfinder-rpc/storage_access.casm",
    invoke: ["set_data", "0x9"],
    call: ["get_data"],
    answer: ["0x9"],
  },
  {
    version: "1.3.0",
    sierra: `${JS}/account/account_oz_080.sierra.json`,
    casm: `${JS}/account/account_oz_080.casm`,
    deployWith: [OWNER],
    call: ["get_public_key"],
    answer: [OWNER],
  },
  {
    version: "1.3.0",
    isFullOnly: true,
    sierra: `${JS}/helloCairo2/C1v2.sierra.json`,
    casm: `${JS}/helloCairo2/C1v2.casm`,
    call: ["echo_array", "0x3", "0x1", "0x2", "0xff"],
    answer: ["0x3", "0x1", "0x2", "0xff"],
  },
  {
    version: "1.4.0",
    isFullOnly: true,
    sierra: `${JS}/cairo240/string.sierra.json`,
    casm: `${JS}/cairo240/string.casm`,
    call: ["proceed_bytes31", "0x616263"],
    answer: ["0x616263"],
  },
  {
    version: "1.5.0",
    isFullOnly: true,
    sierra: `${JS}/cairo263/zeroable.sierra.json`,
    casm: `${JS}/cairo263/zeroable.casm`,
    call: ["send_nonZero_felt", "0x11"],
    answer: ["0x11"],
  },
  {
    version: "1.5.0 (Argent 0.4.0)",
    isFullOnly: true,
    sierra: `${JS}/account/account_ready_040.sierra.json`,
    casm: `${JS}/account/account_ready_040.casm`,
    deployWith: ["0x0", OWNER, "0x1"],
    call: ["get_owner"],
    answer: [OWNER],
  },
  {
    version: "1.6.0",
    isFullOnly: true,
    sierra: `${JS}/cairo294/erc20_oz100.sierra.json`,
    casm: `${JS}/cairo294/erc20_oz100.casm`,
    deployWith: ["0x0", "0x414243", "0x3", "0x0", "0x58", "0x1", "0x3e8", "0x0", OWNER, OWNER],
    call: ["total_supply"],
    answer: ["0x3e8", "0x0"],
  },
  {
    version: "1.7.0",
    sierra: `${JS}/cairo2114/minimalist.sierra.json`,
    casm: `${JS}/cairo2114/minimalist.casm`,
    invoke: ["set_name4", "0x6e616d65"],
    call: ["get_name4"],
    answer: ["0x6e616d65"],
  },
  {
    version: "1.9.3",
    sierra: "cairo-compiler/new_syntax_test_contract__counter_contract.contract_class.json",
    deployWith: ["0x64", OWNER],
    invoke: ["increase_counter", "0x5"],
    call: ["get_counter"],
    answer: ["0x69"],
  },
  {
    version: "1.9.3 (u32)",
    isFullOnly: true,
    sierra: "cairo-compiler/hello_starknet__hello_starknet.contract_class.json",
    invoke: ["increase_balance", "0x5"],
    call: ["get_balance"],
    answer: ["0x5"],
  },
];

const textOf = (path: string): string => readFileSync(fixturePath(`classes/${path}`), "utf8");

/**
 * Payload of a declaration, with the client's hash of the class, and of the compiled class if there
 * is one.
 */
function payload({ sierra, casm }: ClassCase, version: string) {
  const text = textOf(sierra);
  const contract = json.parse(text) as CompiledSierra;
  const classHash = clientClassHash(text);
  if (casm !== undefined) {
    const casmText = textOf(casm);
    const hashOfCasm = clientCompiledClassHash(casmText, version);
    return { contract, classHash, casm: json.parse(casmText), compiledClassHash: hashOfCasm };
  }
  const compiled = compileClass(sierraClassFromJson(text), { maxBytecodeSize: 81_920 });
  const compiledHash = hexFromFelt(compiledClassHash(compiled, "blake"));
  return { contract, classHash, compiledClassHash: compiledHash };
}

async function accepted(account: Account, transactionHash: string): Promise<void> {
  const receipt = await account.provider.waitForTransaction(transactionHash, { retryInterval: 50 });
  expect(receipt.isSuccess()).toBe(true);
}

describe("classes of users", () => {
  const cases = CASES.filter(({ isFullOnly = false }) => isFullSize || !isFullOnly);
  for (const [i, example] of cases.entries()) {
    sharedTest(
      `of Sierra ${example.version} are declared, deployed and called`,
      async () => {
        const account = chain.account(i % chain.accounts.length);
        const { deployWith = [], invoke, call, answer } = example;
        const version = await account.provider.channel.getStarknetVersion();
        // With hashes: the client would hash the class, which takes seconds, for each step.
        const hashed = payload(example, version);
        const declared = await account.declare(hashed);
        expect(BigInt(declared.class_hash)).toBe(BigInt(hashed.classHash));
        await accepted(account, declared.transaction_hash);
        const deployed = await account.deploy({
          classHash: declared.class_hash,
          constructorCalldata: [...deployWith],
        });
        await accepted(account, deployed.transaction_hash);
        const [contractAddress = ""] = deployed.contract_address;
        if (invoke !== undefined) {
          const [entrypoint, ...calldata] = invoke;
          const { transaction_hash } = await account.execute({
            contractAddress,
            entrypoint,
            calldata,
          });
          await accepted(account, transaction_hash);
        }
        const [entrypoint, ...calldata] = call;
        const result = await account.provider.callContract({
          contractAddress,
          entrypoint,
          calldata,
        });
        expect(result).toEqual([...answer]);
      },
      60_000,
    );
  }

  sharedTest("are served as declared, and compiled", async () => {
    const sierra = `${JS}/cairo2114/minimalist.sierra.json`;
    const casm = `${JS}/cairo2114/minimalist.casm`;
    const contract = json.parse(textOf(sierra)) as CompiledSierra;
    const classHash = clientClassHash(textOf(sierra));
    const { result } = await rawCall(chain.url, "starknet_getClass", ["latest", classHash]);
    const { abi, sierra_program } = result as { abi: string; sierra_program: string[] };
    expect(sierra_program).toEqual(contract.sierra_program);
    expect(hash.computeContractClassHash({ ...contract, abi: JSON.parse(abi) })).toBe(classHash);
    const compiled = await rawCall(chain.url, "starknet_getCompiledCasm", [classHash]);
    const { bytecode } = compiled.result as { bytecode: string[] };
    expect(bytecode).toEqual((json.parse(textOf(casm)) as { bytecode: string[] }).bytecode);
  });
});

test("a class with a libfunc that no network allows is rejected with its name", async () => {
  const builder = new ProgramBuilder();
  builder.libfunc("print");
  const nonce = BigInt(await chain.account(-1).getNonce("pre_confirmed"));
  const body = signedDeclare("APPCHAIN_DEVNET", chain.signer(-1), nonce, builder.build());
  const response = await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(await response.json()).toMatchObject({
    error: { code: 56, data: "Libfunc print is not allowed in the libfuncs list 'audited'." },
  });
});
