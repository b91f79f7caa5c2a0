import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sierraClassCodec, type SierraClass } from "#protocol/chain/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { LOW_COMPILERS, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { RawConnection, rawPost } from "#test/helpers/raw-http.ts";
import { signedDeclare } from "#test/helpers/signed-declare.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const ANSWER_TIMEOUT_MS = 120_000;
const FOLDER = resolve(import.meta.dir, "../../contracts/l2");

/** Addresses of this machine; each counts as a separate client. */
const HOSTILE_ADDRESS = "127.0.0.1";
const HONEST_ADDRESS = "127.0.0.2";
const PROBE_ADDRESS = "127.0.0.3";

interface Plan {
  readonly accounts: number;
  readonly contract: string;
  /**
   * Maximum compilations for attackers that finish while an honest declaration is validated and
   * compiled: the running ones, and a fifth of the time afterwards.
   */
  readonly mostBefore: number;
  /** Deadline of an honest declaration, on a quiet machine. */
  readonly mostMs: number;
}

/** Factor by which an attack may slow down a declaration, for a busy machine. */
const MOST_TIMES_ALONE = 5;

const PLANS: Readonly<Record<AttackScale, Plan>> = {
  small: { accounts: 16, contract: "account", mostBefore: 10, mostMs: 5_000 },
  full: { accounts: 130, contract: "token_bridge", mostBefore: 10, mostMs: 5_000 },
};

/** Funded accounts declare new classes with wrong compiled class hashes, from one address. */
export const UNPAID_DECLARES: Attack = {
  name: "unpaid-declares",
  about: "honest declarations continue while an address declares wrong compiled class hashes",
  async run(scale) {
    using folder = temporaryFolder();
    const plan = PLANS[scale];
    const chain = await startChain({
      basePath: folder.path,
      args: ["--dev-accounts", String(plan.accounts + 3)],
      env: LOW_COMPILERS,
    });
    try {
      return await attack(chain, plan, scale);
    } finally {
      await chain.stop();
    }
  },
};

async function attack(chain: RunningChain, plan: Plan, scale: AttackScale): Promise<AttackReport> {
  const classes = new Classes(plan.contract);
  const [probe, known, unknown] = [0, 1, 2].map((i) => plan.accounts + i) as [
    number,
    number,
    number,
  ];
  const body = (account: number, nonce: bigint, compiledClassHash?: bigint): string =>
    signedDeclare(CHAIN_ID, chain.signer(account), nonce, classes.next(), compiledClassHash);
  // A rejection names the right hash, which all these classes share.
  const refusal = await declare(chain, PROBE_ADDRESS, body(probe, 0n));
  const hash = BigInt(/compiles to (0x[0-9a-f]+)/.exec(refusal.text)?.[1] ?? 1n);
  const alone = await declare(chain, HOSTILE_ADDRESS, body(known, 0n, hash));
  const mostMs = longestMs(scale, plan, alone.ms);

  const hostile = Array.from({ length: plan.accounts }, (_, i) => body(i, 0n));
  const honest = [
    { name: "with a record", from: HOSTILE_ADDRESS, body: body(known, 1n, hash) },
    { name: "without a record", from: HONEST_ADDRESS, body: body(unknown, 0n, hash) },
  ];
  let compiled = 0;
  let isOver = false;
  const over = Promise.withResolvers<void>();
  // Each account declares another class after a futile compilation, and repeats it after a busy
  // response.
  const attackers = hostile.map(async (first, account) => {
    for (let next = first; !isOver;) {
      const { text } = await declare(chain, HOSTILE_ADDRESS, next);
      if (text.includes('"code":60')) {
        compiled++;
        next = body(account, 0n);
      } else await Promise.race([Bun.sleep(retryMs(text)), over.promise]);
    }
  });
  await Bun.sleep(alone.ms / 2);
  const results = await Promise.all(
    honest.map(async ({ name, from, body: sent }) => {
      const before = compiled;
      const answer = await declare(chain, from, sent);
      return { name, ...answer, before: compiled - before };
    }),
  );
  isOver = true;
  over.resolve();
  await chain.stop();
  await Promise.all(attackers);
  const said = results.map(
    ({ name, ms, before }) => `${name} ${Math.round(ms)} ms behind ${before} unpaid ones`,
  );
  const refused = results.find(({ text }) => !text.includes("transaction_hash"));
  return {
    held:
      refused === undefined &&
      results.every(({ before, ms }) => before <= plan.mostBefore && ms <= mostMs),
    figures: `${plan.accounts} accounts: a declaration alone takes ${Math.round(alone.ms)} ms, ${said.join(", ")}${refused === undefined ? "" : `; refused: ${refused.text.slice(0, 300)}`}`,
  };
}

/**
 * Deadline of an honest declaration. Compilers have the lowest priority: on a busy machine a small
 * attack is compared with a declaration alone.
 */
function longestMs(scale: AttackScale, { mostMs }: Plan, aloneMs: number): number {
  const boundOfScaleMs = boundMs(scale, mostMs);
  return scale === "full" ? boundOfScaleMs : Math.max(boundOfScaleMs, MOST_TIMES_ALONE * aloneMs);
}

/** Classes of one program, each with another ABI, so that no cached result helps with the next. */
class Classes {
  readonly #base: SierraClass;
  #count = 0;

  constructor(contract: string) {
    const sierra: unknown = JSON.parse(readFileSync(`${FOLDER}/${contract}.sierra.json`, "utf8"));
    const { sierra_program, contract_class_version, entry_points_by_type } = sierra as Record<
      string,
      JsonValue
    >;
    this.#base = sierraClassCodec.decode(
      {
        sierra_program: sierra_program ?? [],
        contract_class_version: contract_class_version ?? "",
        entry_points_by_type: entry_points_by_type ?? {},
        abi: "",
      },
      contract,
    );
  }

  next(): SierraClass {
    return { ...this.#base, abi: String(this.#count++) };
  }
}

/**
 * Milliseconds after which a busy node accepts the declaration again, from its response: earlier
 * retries would be another attack.
 */
function retryMs(text: string): number {
  return Number(/try again in (\d+) s/.exec(text)?.[1] ?? 1) * 1_000;
}

/** Declares from an address of this machine. @returns an empty response if the node has exited */
async function declare(
  { rpcPort }: RunningChain,
  from: string,
  body: string,
): Promise<{ readonly text: string; readonly ms: number }> {
  const startMs = performance.now();
  try {
    const connection = await RawConnection.open(rpcPort, false, from);
    const [response] = await connection.send(rawPost(body)).responses(1, ANSWER_TIMEOUT_MS);
    connection.close();
    return { text: response?.body ?? "", ms: performance.now() - startMs };
  } catch {
    return { text: "", ms: performance.now() - startMs };
  }
}
