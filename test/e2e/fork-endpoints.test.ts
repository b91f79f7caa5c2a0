import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ASYNC_SUBMISSION } from "#test/helpers/binary.ts";
import { endpointFaults, executed, watchLocalReads } from "#test/helpers/fork/endpoint-script.ts";
import { allOf, ORIGIN_FAULTS, sometimes } from "#test/helpers/fork/origin-faults.ts";
import { type OriginRule, startOriginProxy } from "#test/helpers/fork/origin-proxy.ts";
import {
  ORIGIN_CHAIN,
  type SpreadOrigin,
  startSpreadOrigin,
} from "#test/helpers/fork/spread-origin.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useChains } from "#test/helpers/use-chain.ts";

/** Blocks of the origin: a fork needs the ten before its block. */
const TRANSFERS = 3;
const TIMEOUT_MS = 240_000;

const { batches, html, rate, requestRate, slow, throttle } = ORIGIN_FAULTS;

/** A date in the form of the header `Retry-After`. */
const inASecond = (): OriginRule => ({
  lie: (occasion) => throttle(new Date(Date.now() + 1000).toUTCString()).lie(occasion),
});

/** Limits that public endpoints have, one each. */
const LIMITS: Readonly<Record<string, () => OriginRule>> = {
  "batches of 10": () => batches(10),
  "batches of 100": () => batches(100),
  "no batches": () => batches(1),
  "10 requests a second": () => requestRate(10),
  "10 calls a second": () => rate(10),
  "a page with status 502 now and then": () => sometimes(4, html(502)),
  "a page with status 403 now and then": () => sometimes(4, html(403)),
  "Retry-After in seconds now and then": () => sometimes(5, throttle("1")),
  "Retry-After as a date now and then": () => sometimes(5, inASecond()),
  "300 ms a response": () => slow(300),
};

/** Paths at which the specification has its versions, and the newest without one. */
const PATHS = ["/rpc/v0_8", "/rpc/v0_9", "/rpc/v0_10", ""];

/** An endpoint: its path, and its limits by name. */
type Endpoint = readonly [path: string, ...limits: readonly string[]];

const ALL: readonly Endpoint[] = [
  ...PATHS.map((path): Endpoint => [path]),
  ...Object.keys(LIMITS).map((limit): Endpoint => ["/rpc/v0_9", limit]),
];

/** Quick runs combine limits: each fork takes seconds. */
const COMBINED: readonly Endpoint[] = [
  ["/rpc/v0_8", "batches of 10", "a page with status 502 now and then"],
  ["", "10 requests a second", "a page with status 403 now and then"],
];

const OUTAGE_MS = bySize({ quick: 3_000, full: 60_000 });
const OWN_ACCOUNT = ["--dev-accounts", "1", "--dev-seed", "99"];

const start = useChains();
const folder = temporaryFolder();
let origin: SpreadOrigin;

beforeAll(async () => {
  origin = await startSpreadOrigin(folder.path, TRANSFERS, { seed: "1", firstAmount: 1 });
}, TIMEOUT_MS);
afterAll(async () => {
  await origin.chain.stop();
  folder[Symbol.dispose]();
});

describe("a fork reads, sends and declares behind an endpoint", () => {
  for (const [path, ...limits] of bySize({ quick: COMBINED, full: [...COMBINED, ...ALL] })) {
    const place = path === "" ? "without a path" : `at ${path}`;
    test(
      [place, ...limits].join(", "),
      async () => {
        await using proxy = await startOriginProxy(origin.chain.url);
        const rules = limits.flatMap((limit) => LIMITS[limit]?.() ?? []);
        proxy.add(allOf(rules));
        const fork = await start({
          args: ["--fork-url", proxy.url + path, ...OWN_ACCOUNT],
          env: ASYNC_SUBMISSION,
        });
        expect(await endpointFaults(fork, origin, proxy.name)).toEqual([]);
        await fork.stop();
      },
      TIMEOUT_MS,
    );
  }
});

test(
  `a fork continues without help after ${OUTAGE_MS / 1000} s of responses with status 429`,
  async () => {
    await using proxy = await startOriginProxy(origin.chain.url);
    const fork = await start({
      args: [...["--fork-url", proxy.url, "--fork-timeout", "2s"], ...OWN_ACCOUNT],
      env: ASYNC_SUBMISSION,
    });
    const signer = fork.signer(0);
    const send = (nonce: bigint, recipient: bigint) =>
      executed(fork, signedTransfer(ORIGIN_CHAIN, signer, nonce, recipient).body);
    expect(await send(0n, 0x1a57n)).toEqual([]);

    const outage = proxy.add(throttle());
    const local = watchLocalReads(fork);
    const unknown = send(1n, 0x1a58n);
    await Bun.sleep(OUTAGE_MS);
    expect(await fetch(`${fork.url}/ready`).then(({ status }) => status)).toBe(503);
    outage.end();
    expect(await unknown).toEqual([]);
    expect(await send(2n, 0x1a59n)).toEqual([]);
    expect(await local.end()).toEqual([]);
  },
  TIMEOUT_MS,
);
