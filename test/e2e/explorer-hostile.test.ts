import { afterAll, beforeAll, describe, expect, test as anyTest } from "bun:test";
import type { Browser } from "puppeteer-core";
import { type AllowArray, type Call, hash } from "starknet";
import { resultOf } from "#test/helpers/binary.ts";
import { hasChromium, openBrowser } from "#test/helpers/chromium.ts";
import { ExplorerPage } from "#test/helpers/explorer-page.ts";
import { deployCall, DEPLOYER } from "#test/helpers/frames-contract.ts";
import {
  answerInstead,
  HOSTILE_FELT,
  HOSTILE_MEGABYTE,
  HOSTILE_TEXT,
  hostileTrace,
  writeHostileClass,
} from "#test/helpers/hostile-explorer.ts";
import { NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const test = anyTest.skipIf(!hasChromium);
/** Processor time after which a view is frozen, on any machine. */
const FROZEN_MS = 5_000;
/** Text of which something remains on screen wherever {@link HOSTILE_TEXT} is shown. */
const SHOWN = "<img src=x onerror=";

const chain = useStoppedChain((folder) => {
  const path = folder.file("hostile.sierra.json");
  writeHostileClass(path);
  return { args: ["--explorer", "on", "--block-time", "1s", "--predeclare-class", path] };
});
let browser: Browser | undefined;
let view: ExplorerPage;
let classHash = "";
let contract = "";
let invoked = "";

/** Opens views, and checks that each was drawn, without a freeze and without a script. */
async function check(paths: readonly string[]): Promise<string> {
  let shown = "";
  for (const path of paths) {
    await view.open(path);
    await view.untilLoaded();
    const { busyMs } = await view.drawing();
    const [hit, violations] = (await view.page.evaluate("[window.__hit, window.__violations]")) as [
      unknown,
      number,
    ];
    expect([path, hit ?? null, violations, busyMs < FROZEN_MS]).toEqual([path, null, 0, true]);
    shown += await view.text();
    expect([path, HIDDEN.exec(shown)?.[0]]).toEqual([path, undefined]);
  }
  return shown;
}

/** Sends calls, and waits until they are in a block. @returns the hash */
async function send(calls: AllowArray<Call>): Promise<string> {
  const { transaction_hash: sent } = await chain.account(0).execute(calls, NO_ESTIMATE);
  await chain.provider.waitForTransaction(sent, { retryInterval: 50 });
  return sent;
}

/** Hash of the declared class with the hostile ABI: other programs write such a text in another way before they hash it. */
async function hostileClassHash(): Promise<string> {
  const update = (await resultOf(chain, "starknet_getStateUpdate", {
    block_id: { block_number: 0 },
  })) as {
    readonly state_diff: {
      readonly declared_classes: readonly { readonly class_hash: string }[];
    };
  };
  for (const { class_hash } of update.state_diff.declared_classes) {
    const params = { block_id: "latest", class_hash };
    const { abi } = (await resultOf(chain, "starknet_getClass", params)) as {
      readonly abi: string;
    };
    if (abi.includes("a::Loop")) return class_hash;
  }
  return "";
}

/** Short string `<img src=x onerror=1>`. */
const SYMBOL = `0x${Buffer.from("<img src=x onerror=1>").toString("hex")}`;

/** Characters that must be shown by their code points. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

describe("[chromium] the page with hostile data", () => {
  beforeAll(async () => {
    if (!hasChromium) return;
    await chain.start();
    browser = await openBrowser();
    view = await ExplorerPage.of(browser, chain.url);
    await view.page.evaluateOnNewDocument(`
      window.__violations = 0;
      document.addEventListener("securitypolicyviolation", () => window.__violations++);`);
    classHash = await hostileClassHash();
    const deployed = deployCall(classHash, "0x1");
    contract = deployed.address;
    invoked = await send([deployed.call, transferCall("0x76", 1n)]);
  }, 120_000);
  afterAll(() => browser?.close());

  test("shows an ABI of 10 000 entries with recursive types and hostile names as text", async () => {
    const tabs = ["abi", "entries", "raw"].map((tab) => `#/class/${classHash}?tab=${tab}`);
    expect(await check(tabs)).toContain(SHOWN);
    expect(
      await check([`#/contract/${contract}?tab=read`, `#/contract/${contract}?tab=write`]),
    ).toContain(SHOWN);
  }, 120_000);

  test("shows a token whose symbol is markup as text", async () => {
    const erc20 = await chain.provider.getClassHashAt(STRK);
    const { address: owner = "" } = chain.accounts[0] ?? {};
    const data = [SYMBOL, SYMBOL, "0x12", "0x64", "0x0", owner, "0x0"];
    const token = hash.calculateContractAddressFromHash("0x2", erc20, data, 0);
    const sent = await send([
      {
        contractAddress: DEPLOYER,
        entrypoint: "deployContract",
        calldata: [erc20, "0x2", "0x0", `0x${data.length.toString(16)}`, ...data],
      },
      { contractAddress: token, entrypoint: "transfer", calldata: ["0x77", "0x5", "0x0"] },
    ]);
    expect(await check([`#/tx/${sent}`])).toContain("<img src=x onerr");
  }, 60_000);

  test("shows megabytes of hostile reasons, calldata, symbols and calls as text", async () => {
    const calldata = Array.from({ length: 30_000 }, () => HOSTILE_FELT);
    await answerInstead(view.page, {
      starknet_getTransactionByHash: (result) => ({ ...result, calldata }),
      starknet_getTransactionReceipt: (result) => ({
        ...result,
        execution_status: "REVERTED",
        revert_reason: HOSTILE_MEGABYTE,
      }),
      starknet_traceTransaction: () => hostileTrace(contract, classHash),
      starknet_call: () => byteArrayOf(HOSTILE_MEGABYTE),
    });
    const tabs = ["summary", "calls", "flame", "events", "state", "simulate", "raw"];
    expect(await check(tabs.map((tab) => `#/tx/${invoked}?tab=${tab}`))).toContain(SHOWN);
  }, 120_000);

  test("shows labels and searches that are markup as text", async () => {
    await view.page.evaluate(
      `localStorage.setItem("appchain.labels", ${JSON.stringify(JSON.stringify({ labels: { [STRK]: HOSTILE_TEXT.slice(0, 55) } }))})`,
    );
    const searched = encodeURIComponent(HOSTILE_TEXT.slice(0, 150));
    const paths = ["#/labels", `#/contract/${STRK}`, `#/search/${searched}`];
    expect(await check(paths)).toContain(SHOWN);
  }, 60_000);

  test("made no request to another origin, and reported no error", () => {
    expect(view.faults).toEqual([]);
  });
});

/** Returns the felts of a `ByteArray`. */
function byteArrayOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const words = Math.floor(bytes.length / 31);
  const wordAt = (start: number, end: number): string =>
    `0x${bytes.subarray(start, end).toString("hex") || "0"}`;
  return [
    `0x${words.toString(16)}`,
    ...Array.from({ length: words }, (_, i) => wordAt(31 * i, 31 * i + 31)),
    wordAt(31 * words, bytes.length),
    `0x${(bytes.length - 31 * words).toString(16)}`,
  ];
}
