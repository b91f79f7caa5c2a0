import { readFileSync } from "node:fs";
import { Account, type CompiledSierra, json, RpcProvider } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { DECLARE_BOUNDS } from "#test/helpers/declares.ts";
import { loadClass } from "#test/helpers/scenario/classes.ts";
import { NO_ESTIMATE } from "#test/helpers/tokens.ts";
import { median } from "../pairs.ts";
import { callOfOracle } from "./oracle.ts";
import { progress } from "./progress.ts";
import type { Results } from "./results.ts";
import { HEAVY_CALLS } from "./rows.ts";
import { type RunningServer, type Server, startServer } from "./server.ts";

/** Calls of a round, after a warm-up call. */
const CALLS = 5;
const SIERRA = "bench.sierra.json";
const BENCH_FOLDER = new URL("../../contracts/bench/", import.meta.url).pathname;

/**
 * Measures rows of heavy calls, by sequential `starknet_call` over HTTP; in the reference engine
 * the same calls of a scenario. A server that rejects a call has no value in its row.
 *
 * @param oracle - path of the reference engine's program, if it is to be measured
 */
export async function measureCalls(
  servers: readonly Server[],
  oracle: string | undefined,
  rounds: number,
  results: Results,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const deployed: { server: Server; running: RunningServer; address: string }[] = [];
  for (const server of servers) {
    const running = stack.use(await startServer(server, 1));
    deployed.push({ server, running, address: await deploy(running) });
  }
  for (let round = 0; round < rounds; round++) {
    progress(`calls, round ${round + 1} of ${rounds}`);
    const inOrder = round % 2 === 0 ? deployed : deployed.toReversed();
    for (const { entryPoint, argument } of HEAVY_CALLS) {
      const row = `call-${entryPoint}`;
      const answers = new Set<string>();
      for (const { server, running, address } of inOrder) {
        const found = await timeOf(running.url, address, entryPoint, argument);
        if (found === undefined) continue;
        results.note(server.name, { [row]: found.ms });
        answers.add(found.result);
      }
      if (answers.size > 1) throw new TypeError(`${row}: ${[...answers].join(" and ")}`);
      if (oracle !== undefined) {
        const ms = await callOfOracle(oracle, `${BENCH_FOLDER}${SIERRA}`, entryPoint, argument);
        results.note("reference engine", { [row]: ms });
      }
    }
  }
}

/** Declares and deploys the contract. @returns its address */
async function deploy({ url, accounts }: RunningServer): Promise<string> {
  const provider = new RpcProvider({ nodeUrl: url });
  const { address = "", privateKey: signer = "" } = accounts[0] ?? {};
  const account = new Account({ provider, address, signer });
  const { blakeHash = 0n } = loadClass({ sierra: SIERRA }, BENCH_FOLDER, SIERRA);
  const sierra = json.parse(readFileSync(`${BENCH_FOLDER}${SIERRA}`, "utf8"));
  // On the wire a class has its ABI as text; the client serializes it itself.
  const contract = { ...sierra, abi: json.parse(sierra.abi) } as CompiledSierra;
  const declaration = { contract, compiledClassHash: hexFromFelt(blakeHash) };
  const declared = await account.declare(declaration, DECLARE_BOUNDS);
  await provider.waitForTransaction(declared.transaction_hash, { retryInterval: 50 });
  const deployed = await account.deployContract(
    { classHash: declared.class_hash, salt: "0x1", unique: false },
    NO_ESTIMATE,
  );
  await provider.waitForTransaction(deployed.transaction_hash, { retryInterval: 50 });
  return deployed.address;
}

/** Result of a call and its median time; `undefined` if the server rejects it. */
async function timeOf(
  url: string,
  address: string,
  entryPoint: string,
  argument: number,
): Promise<{ readonly ms: number; readonly result: string } | undefined> {
  const request = {
    contract_address: address,
    entry_point_selector: hexFromFelt(selectorFromName(entryPoint)),
    calldata: [`0x${argument.toString(16)}`],
  };
  const times: number[] = [];
  let last = "";
  for (let i = 0; i <= CALLS; i++) {
    const startedMs = performance.now();
    const { error, result } = await rawCall(url, "starknet_call", { request, block_id: "latest" });
    if (error !== undefined) {
      progress(`    ${entryPoint}(${argument}) is refused: ${JSON.stringify(error).slice(0, 300)}`);
      return undefined;
    }
    if (i > 0) times.push(performance.now() - startedMs);
    last = JSON.stringify(result);
  }
  return { ms: median(times), result: last };
}
