import { expect, test } from "bun:test";
import { ASYNC_SUBMISSION, rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** When validated in order of arrival, this many kept an honest client waiting for 20 s. */
const BAD_TRANSFERS = 20_000;
const PER_BODY = 100;

/** Far above the usual wait, far below the time that validating the whole flood takes. */
const LONGEST_WAIT_MS = stallBoundMs(6_000);

const CHAIN_ID = "APPCHAIN_DEVNET";
const BUSY = 63;
const VALIDATION_FAILURE = 55;

const chain = useChain({ env: ASYNC_SUBMISSION });

function transfer(sender: number, nonce: bigint, recipient: bigint) {
  const signer = chain.signer(sender);
  return signedTransfer(CHAIN_ID, signer, nonce, recipient);
}

interface Answer {
  readonly result?: { readonly transaction_hash: string };
  readonly error?: { readonly code: number; readonly data?: string };
}

async function post(body: string): Promise<{ answer: Answer | Answer[]; headers: Headers }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(chain.url, { method: "POST", headers, body });
  return { answer: (await response.json()) as Answer | Answer[], headers: response.headers };
}

/** Milliseconds that an operation takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function untilIncluded(hash: bigint): Promise<void> {
  for (;;) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [
      `0x${hash.toString(16)}`,
    ]);
    const status = (result as { finality_status?: string } | undefined)?.finality_status;
    if (status === "PRE_CONFIRMED" || status === "ACCEPTED_ON_L2") return;
    await Bun.sleep(20);
  }
}

test("a flood of wrong signatures delays neither honest clients nor look-ups", async () => {
  // The signature is of another recipient: only a full validation detects that.
  const template = transfer(1, 0n, 0xdeadbeefn).body;
  const bodies = Array.from({ length: BAD_TRANSFERS / PER_BODY }, (_, body) => {
    const bad = Array.from({ length: PER_BODY }, (_, i) =>
      template.replace('"0xdeadbeef"', `"0x${(0x1000000 + body * PER_BODY + i).toString(16)}"`),
    );
    return `[${bad.join(",")}]`;
  });
  let flooding = true;
  const flood = Promise.all(bodies.map(post)).finally(() => (flooding = false));
  const waits: number[] = [];
  const honest = async (): Promise<void> => {
    for (let nonce = 0n; nonce < 5n; nonce++) {
      const { body, hash } = transfer(0, nonce, 0x77n + nonce);
      const wait = await timed(async () => {
        expect((await post(body)).answer).toHaveProperty("result");
        await untilIncluded(hash);
      });
      waits.push(wait);
    }
  };
  const lookUps = async (): Promise<void> => {
    while (flooding) {
      waits.push(
        await timed(() => rawCall(chain.url, "starknet_getTransactionStatus", ["0x1234"])),
      );
      await Bun.sleep(10);
    }
  };
  const [answers] = await Promise.all([flood, honest(), lookUps()]);
  expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS);
  const errors = answers.flatMap(({ answer }) => answer as Answer[]).map(({ error }) => error);
  expect(errors.length).toBe(BAD_TRANSFERS);
  const codes = new Set(errors.map((error) => error?.code));
  expect(codes).toEqual(new Set([VALIDATION_FAILURE, BUSY]));
  const busy = answers.find(({ headers }) => headers.has("retry-after"));
  expect(Number(busy?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(errors.find((error) => error?.code === BUSY)?.data).toContain("the node is busy");
}, 120_000);
