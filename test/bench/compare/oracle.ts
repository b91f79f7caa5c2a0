import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";

const ADDRESS = "0xbe9c4";
/** Calls of a scenario that count; the time of a scenario with one call is subtracted. */
const CALLS = 3;

/**
 * Milliseconds of a call in the reference engine (../shared/oracle): the difference between
 * scenarios with several calls and one, so that start and compilation do not count.
 */
export async function callOfOracle(
  program: string,
  sierra: string,
  entryPoint: string,
  argument: number,
): Promise<number> {
  const child = Bun.spawn([program, "--serve"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const run = async (calls: number): Promise<number> => {
    const startedMs = performance.now();
    void child.stdin.write(`${scenario(sierra, entryPoint, argument, calls)}\n`);
    await child.stdin.flush();
    const { value } = await lines.next();
    if (!value.includes('"steps"') || /malformed|"panic"/.test(value)) {
      throw new TypeError(`the reference engine refuses ${entryPoint}: ${value.slice(0, 500)}`);
    }
    return performance.now() - startedMs;
  };
  await run(1);
  const one = await run(1);
  const more = await run(1 + CALLS);
  await child.stdin.end();
  await child.exited;
  return (more - one) / CALLS;
}

function scenario(sierra: string, entryPoint: string, argument: number, calls: number): string {
  const price = { wei: 1_000_000_000, fri: 1_000_000_000 };
  const call = {
    contract_address: ADDRESS,
    entry_point_selector: hexFromFelt(selectorFromName(entryPoint)),
    calldata: [`0x${argument.toString(16)}`],
    mode: "execute",
  };
  return JSON.stringify({
    name: entryPoint,
    block: {
      number: 2001,
      timestamp: 1_700_001_234,
      protocol_version: "0.14.0",
      gas_prices: { l1_gas: price, l1_data_gas: price, l2_gas: price },
    },
    classes: [{ sierra, class_hash: "0xbe9c1a55" }],
    state: { contracts: { [ADDRESS]: { class_hash: "0xbe9c1a55" } } },
    steps: Array.from({ length: calls }, (_, i) => ({ name: `call ${i}`, call })),
    output: { calls: false },
  });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return text;
}
