import { afterAll, beforeAll, describe, test as anyTest } from "bun:test";
import { hash } from "starknet";
import type { Browser } from "puppeteer-core";
import { hasChromium, openBrowser } from "#test/helpers/chromium.ts";
import { ExplorerPage } from "#test/helpers/explorer-page.ts";
import { L1_CONTRACT, MessageChain, ON_DEMAND } from "#test/helpers/message-chain.ts";
import { SHARED } from "#test/helpers/shared.ts";
import { resultOf } from "#test/helpers/binary.ts";
import { NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const isRun = hasChromium && SHARED !== undefined;
const test = anyTest.skipIf(!isRun);
const L1_HASH = `0x${"f".repeat(64)}`;
const PAYLOAD = ["0x7e3", "0x7e4"];

const chain = useStoppedChain({ args: [...(ON_DEMAND.args ?? []), "--explorer", "on"] });
let browser: Browser | undefined;
let view: ExplorerPage;
let world: MessageChain;

beforeAll(async () => {
  if (!isRun) return;
  await chain.start();
  world = await MessageChain.deploy(chain);
  browser = await openBrowser();
  view = await ExplorerPage.of(browser, chain.url);
}, 120_000);
afterAll(() => browser?.close());

describe("[chromium] messages in the explorer", () => {
  test("a message to L1 has its hash, and is on L1 once its block is", async () => {
    const sent = await world.sendToL1(L1_CONTRACT, PAYLOAD);
    const made = await world.devnet.createBlock();
    await view.open(`#/tx/${sent}`);
    await view.untilText("not on L1 yet");
    const expected = hash.getL1MessageHash(world.contract, L1_CONTRACT, PAYLOAD);
    await view.untilText(expected.slice(2));
    await resultOf(chain, "devnet_acceptOnL1", {
      starting_block_id: { block_hash: made.block_hash },
    });
    await view.open(`#/tx/${sent}`);
    await view.untilText("l2ToL1Messages");
  });

  test("a message from L1 shows sender, decoded payload and hash, and is found by its transaction on L1", async () => {
    const handler = { handler: "test_receive", payload: ["0x1", "0x2"], nonce: "0x5" };
    const executed = await world.send({ ...handler, l1Hash: L1_HASH });
    await world.devnet.createBlock();
    await view.open(`#/tx/${executed}`);
    await view.untilText("Message from L1");
    await view.untilText(L1_CONTRACT);
    const receipt = await world.receipt(executed);
    await view.untilText(receipt.message_hash ?? "a hash");
    const page = await view.open(`#/search/${L1_HASH}`);
    await view.untilText("Messages to this chain");
    await page.waitForSelector(`a[href="#/tx/${executed}"]`);
  });
});

describe("[chromium] the view of a token", () => {
  test("lists transfers between others", async () => {
    const { transaction_hash: sent } = await chain
      .account(1)
      .execute(transferCall("0x9", 3n), NO_ESTIMATE);
    await world.devnet.createBlock();
    const page = await view.open(`#/contract/${STRK}?tab=token`);
    await page.waitForSelector(`main a[href="#/tx/${sent}"]`);
    await view.untilText("STRK, 18 decimals");
  });
});
