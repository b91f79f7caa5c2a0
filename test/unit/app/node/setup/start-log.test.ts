import { expect, test } from "bun:test";
import { logBegin } from "#app/node/setup/start-log.ts";
import { createLogger } from "#base/telemetry/index.ts";

test("lists the followed gateways without passwords", () => {
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const gateways = [
    { feeder: "http://me:secret@a.b/feeder_gateway", gateway: "http://a.b/gateway" },
    { feeder: "https://c:81/feeder_gateway", gateway: "https://c:81/gateway" },
  ];
  const follow = {
    store: null,
    gateways,
    gatewayKeyFile: null,
    stopAt: null,
    verify: "hashes",
    trustsCasm: false,
  } as const;
  logBegin({ follow }, { nextBlock: 7 }, log);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("sync starts at block 7");
  expect(lines[0]).toContain("http://a.b/feeder_gateway,https://c:81/feeder_gateway");
  logBegin({ follow: null }, { nextBlock: 7 }, log);
  expect(lines[1]).toEndWith("block production starts at block 7");
});
