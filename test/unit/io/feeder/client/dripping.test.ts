import { describe, expect, test } from "bun:test";
import {
  answeringGateway,
  drip,
  gatewayClient,
  json,
  rawGateway,
} from "#test/helpers/gateway-servers.ts";

const REFERENCE = { block_hash: "0xabc", block_number: 7 };

async function dripInto(controller: ReadableStreamDefaultController<string>): Promise<void> {
  await Bun.sleep(20);
  controller.enqueue(" ");
}

describe("a response that arrives byte by byte", () => {
  test.each(["head", "publicKey", "contractAddresses", "signature", "preConfirmed"] as const)(
    "to %s fails at its deadline and is requested again",
    async (question) => {
      let requests = 0;
      const gateway = await rawGateway((socket) => {
        if (requests++ === 0) drip(socket);
      });
      const { client, reports, stop } = gatewayClient([gateway.url], {
        limits: { answerMs: 400, shortAnswerMs: 400 },
      });
      const answer = client[question](1, undefined).catch(() => undefined);
      while (requests < 2) await Bun.sleep(5);
      expect(reports).toMatchObject([{ outcome: "failed" }]);
      expect(reports[0]?.failure).toContain("is incomplete after 400 ms");
      stop.abort();
      await answer;
      gateway.stop();
    },
  );

  test("demotes a gateway even if it answers other requests", async () => {
    let drips = 0;
    const half = answeringGateway((request) => {
      if (!request.url.includes("get_state_update")) return json(REFERENCE);
      drips++;
      return new Response(new ReadableStream<string>({ pull: dripInto }));
    });
    const whole = answeringGateway(() => json(REFERENCE));
    const { client } = gatewayClient([half.url, whole.url], { limits: { answerMs: 200 } });
    for (let number = 0; number < 3; number++) {
      expect(await client.head()).toMatchObject({ number: 7 });
      expect(await client.wholeBlock(number)).toBeDefined();
      // Longer than the pause after an ordinary failure.
      await Bun.sleep(300);
    }
    expect(drips).toBe(1);
    await Promise.all([half.stop(), whole.stop()]);
  });
});
