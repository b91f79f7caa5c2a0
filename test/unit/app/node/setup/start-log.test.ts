import { expect, test } from "bun:test";
import { logBegin } from "#app/node/setup/start-log.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { followOptions } from "#test/helpers/options.ts";

test("lists the followed gateways without passwords", () => {
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const gateways = [
    { feeder: "http://me:secret@a.b/feeder_gateway", gateway: "http://a.b/gateway" },
    { feeder: "https://c:81/feeder_gateway", gateway: "https://c:81/gateway" },
  ];
  const follow = followOptions({ gateways });
  logBegin({ follow }, { nextBlock: 7 }, log);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("sync starts at block 7");
  expect(lines[0]).toContain("http://a.b/feeder_gateway,https://c:81/feeder_gateway");
  logBegin({ follow: null }, { nextBlock: 7 }, log);
  expect(lines[1]).toEndWith("block production starts at block 7");
});
