import { describe, expect, test } from "bun:test";
import { terminalSvg } from "../../../scripts/screenshot-lib/terminal-svg.ts";
import { steady } from "../../../scripts/screenshot-lib/first-screen.ts";

describe("the picture of a terminal", () => {
  test("places each run at its cells, in its colour, without blanks at its ends", () => {
    const svg = terminalSvg("ab  \u001b[1m\u001b[32m cd\u001b[0m\n\u001b[2mx\u001b[22m", "t");
    expect(svg.match(/<text.*<\/text>/g)).toEqual([
      '<text x="16" y="29.5" fill="#e6edf3" textLength="15.6" xml:space="preserve">ab</text>',
      '<text class="bold" x="55" y="29.5" fill="#3fb950" textLength="15.6" xml:space="preserve">cd</text>',
      '<text x="16" y="47.5" fill="#9198a1" textLength="7.8" xml:space="preserve">x</text>',
    ]);
  });

  test("is as large as its lines", () => {
    expect(terminalSvg("1234567890\n\n", "t")).toContain('width="110" height="68"');
  });

  test("escapes what XML reads, also in the title", () => {
    const svg = terminalSvg("<a> & b", "x < y");
    expect(svg).toContain(">&lt;a&gt; &amp; b</text>");
    expect(svg).toContain("<title>x &lt; y</title>");
  });
});

test("two runs give the same screen: folder, ports, commit and duration are fixed", () => {
  const screen = (folder: string, rpc: number, commit: string, ms: number): string =>
    steady(
      `\u001b[1mappchain 0.1.0\u001b[22m\u001b[2m${commit}\u001b[22m\n${folder}/x http://h:${rpc} http://h:7/metrics\nready http://h:${rpc} \u001b[2min ${ms} ms\u001b[22m`,
      folder,
      { rpc, metrics: 7 },
    );
  const first = screen("/tmp/a", 12_345, " commit 01234567", 612);
  expect(first).toBe(screen("/tmp/b", 23_456, " commit 89abcdef+", 9));
  expect(first).toContain("~/x http://h:9944 http://h:9615/metrics");
});
