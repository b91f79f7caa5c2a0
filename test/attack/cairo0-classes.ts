import { rawCall, LOW_COMPILERS, SEVERAL_QUERY_THREADS, startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type PackedParts, sentPackedClass } from "#test/helpers/packed-class.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { type Attack, type AttackScale, boundMs } from "./attack.ts";

/** Last version before transactions with a single maximum fee were removed. */
const OLD_PROTOCOL = ["--chain-config-override", "latest_protocol_version=0.13.6"];

const TIMEOUT_MS = 3_000;
/** Margin of a request above the timeout, on a busy machine. */
const MARGIN_MS = 7_000;
/** Deadline of an honest client's request, on a busy machine. */
const HONEST_MS = 10_000;
const MEMORY_BYTES = 1_500 * 2 ** 20;

/** 1.5 million words: 30 s of hashing. */
const TOO_LONG: PackedParts = { felts: 1_500_000 };
/** Short when compressed, and one byte above the limit when decompressed. */
const TOO_LARGE: PackedParts = { felts: 1, objectBytes: 4_089_447 };
const AT_LIMIT: PackedParts = { felts: 81_920 };

interface Reply {
  readonly text: string;
  readonly tookMs: number;
}

/**
 * Classes that are expensive to hash, sent by a client that knows the address of a funded account.
 */
export const CAIRO0_CLASSES: Attack = {
  name: "cairo0-classes",
  about:
    "bounds the cost of Cairo 0 classes with millions of words, and of hundreds at the size limit",

  async run(scale) {
    const problems: string[] = [];
    const figures = [
      await onChain(
        OLD_PROTOCOL,
        (url, sender) => attackOld(url, sender, scale, problems),
        scale,
        problems,
      ),
      await onChain([], (url, sender) => attackNew(url, sender, problems), scale, problems),
    ];
    return { held: problems.length === 0, figures: [...figures, ...problems].join("; ") };
  },
};

/** Runs an attack in parallel with honest clients, and checks their waits and the memory. */
async function onChain(
  args: readonly string[],
  attack: (url: string, sender: string) => Promise<string>,
  scale: AttackScale,
  problems: string[],
): Promise<string> {
  const honestMs = boundMs(scale, HONEST_MS);
  using folder = temporaryFolder();
  const chain = await startChain({
    basePath: folder.path,
    args: ["--rpc-timeout", `${TIMEOUT_MS}ms`, ...args],
    env: { ...LOW_COMPILERS, ...SEVERAL_QUERY_THREADS },
  });
  const memory = new MemoryWatch(chain.pid);
  try {
    const honest = new HonestLoad(chain, {
      chainId: "APPCHAIN_DEVNET",
      transfersPerSecond: 2,
    });
    honest.start();
    const figures = await attack(chain.url, chain.accounts[0]?.address ?? "0x0");
    const { slowestMs, errors } = await honest.stop();
    const slowest = Math.round(Math.max(...Object.values(slowestMs)));
    const peakBytes = memory.takePeak();
    if (slowest > honestMs) problems.push(`an honest request took ${slowest} ms`);
    if (errors.length > 0) problems.push(`honest clients met ${errors[0]}`);
    if (peakBytes > MEMORY_BYTES) problems.push(`it took ${peakBytes >> 20} MiB`);
    return `${figures}, honest clients at most ${slowest} ms, ${peakBytes >> 20} MiB`;
  } finally {
    memory.stop();
    await chain.stop();
  }
}

/** Declarations of version 1 on a chain that accepts them. */
async function attackOld(
  url: string,
  sender: string,
  scale: AttackScale,
  problems: string[],
): Promise<string> {
  const mostMs = TIMEOUT_MS + boundMs(scale, MARGIN_MS);
  const times = scale === "small" ? 2 : 40;
  const refused = await Promise.all(
    [TOO_LONG, TOO_LARGE].flatMap((parts) => {
      const declaration = declare(sender, parts);
      return Array.from({ length: times }, () => estimate(url, [declaration]));
    }),
  );
  for (const { text, tookMs } of refused) {
    if (!text.includes("at most 4089446 are allowed") || tookMs > mostMs) {
      problems.push(`an estimate of too large a class: ${Math.round(tookMs)} ms, ${text}`);
    }
  }
  const submitted = await ask(url, "starknet_addDeclareTransaction", {
    declare_transaction: declare(sender, TOO_LONG),
  });
  if (!submitted.text.includes('"code":57')) problems.push(`a declaration: ${submitted.text}`);
  const forged = await ask(url, "starknet_addDeclareTransaction", {
    declare_transaction: declare(sender, AT_LIMIT),
  });
  if (!forged.text.includes('"code":55')) problems.push(`a forged declaration: ${forged.text}`);
  // As many as fit into one request take many times its timeout.
  const atLimit = declare(sender, AT_LIMIT);
  const many = Array.from({ length: 39 }, () => atLimit);
  const long = await Promise.all(
    Array.from({ length: scale === "small" ? 1 : 8 }, () => estimate(url, many)),
  );
  const slowest = Math.round(Math.max(...long.map(({ tookMs }) => tookMs)));
  if (slowest > mostMs || long.some(({ text }) => !isStopped(text))) {
    problems.push(`${many.length} classes at once: ${slowest} ms, ${long[0]?.text}`);
  }
  const refusedMs = Math.round(Math.max(...refused.map(({ tookMs }) => tookMs)));
  return `${refused.length} too large within ${refusedMs} ms, ${many.length} at the limit ended after ${slowest} ms`;
}

/** Declarations of version 1 on a chain that no longer accepts them. */
async function attackNew(url: string, sender: string, problems: string[]): Promise<string> {
  const declaration = declare(sender, TOO_LONG);
  const replies = [
    await estimate(url, [declaration]),
    await ask(url, "starknet_addDeclareTransaction", { declare_transaction: declaration }),
  ];
  for (const [i, code] of [-32602, 61].entries()) {
    const text = replies[i]?.text ?? "";
    if (!text.includes(`"code":${code}`)) problems.push(`version 1 on 0.14.4: ${text}`);
  }
  const slowest = Math.round(Math.max(...replies.map(({ tookMs }) => tookMs)));
  return `version 1 on 0.14.4 refused within ${slowest} ms`;
}

function declare(sender_address: string, parts: PackedParts) {
  return {
    type: "DECLARE",
    version: "0x1",
    max_fee: "0x2386f26fc10000",
    signature: ["0x1", "0x2"],
    // Above any nonce that the honest owner of the account uses meanwhile.
    nonce: "0xffff",
    sender_address,
    contract_class: sentPackedClass(parts),
  };
}

function estimate(url: string, request: readonly unknown[]): Promise<Reply> {
  const params = { request, simulation_flags: ["SKIP_VALIDATE"], block_id: "latest" };
  return ask(url, "starknet_estimateFee", params);
}

async function ask(url: string, method: string, params: unknown): Promise<Reply> {
  const startedMs = performance.now();
  const answer = await rawCall(url, method, params);
  return { text: JSON.stringify(answer).slice(0, 300), tookMs: performance.now() - startedMs };
}

/** Whether the request was stopped at its deadline, or not started before it. */
function isStopped(text: string): boolean {
  return text.includes("took too long and was stopped") || text.includes("not started in time");
}
