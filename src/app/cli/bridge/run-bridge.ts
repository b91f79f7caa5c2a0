import { resolve } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { Transfer, TransferOutcome } from "#app/bridge/index.ts";
import { KEEPING_TIMER } from "../bootstrap/keeping-timer.ts";
import type { CliContext } from "../command.ts";
import { wrongCommandLine, wrongOption } from "../option-errors.ts";
import { parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { readAmount } from "./amount.ts";
import { AMOUNT_WORDS, depositOptions, TRANSFER_WORDS, withdrawOptions } from "./options.ts";

/** Exit code of a transfer that is incomplete without an error. */
const WAITS = 3;

/** Implements `appchain bridge deposit AMOUNT`. */
export async function runDeposit(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(depositOptions, argv, context.environment, AMOUNT_WORDS);
  const { options, sources } = parsed;
  const { bridge, bootstrap, sides } = await begin(context, null);
  const recipient = options.to === null ? sides.l2Address : bootstrap.readL2Address(options.to);
  if (recipient === undefined) throw wrongOption(sources, "to", "is not an address of L2");
  const token = await bridge.bridgedToken(
    sides,
    tokenName(options.token),
    resolve(options.addresses),
  );
  const amount = readAmount(parsed.positionals[0] ?? "", token.decimals);
  using file = bridge.TransferFile.open(
    resolve(options.transfer),
    transferOf("deposit", sides, token, amount, sides.l1.address, hexFromFelt(recipient)),
  );
  const request = { token, amount, recipient, mints: options.mint };
  const outcome = await bridge.deposit(sides, file, request, context.out);
  const held = await bridge.heldOnL2(sides, token, recipient);
  return report(context, file.path, outcome, () => [
    `${hexFromFelt(recipient)} holds ${bridge.amountText(held, token)} on L2`,
  ]);
}

/** Implements `appchain bridge withdraw AMOUNT`. */
export async function runWithdraw(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(withdrawOptions, argv, context.environment, AMOUNT_WORDS);
  const { options, sources } = parsed;
  const { bridge, bootstrap, sides } = await begin(context, options.account);
  const recipient = options.to === null ? sides.l1.address : bootstrap.readL1Address(options.to);
  if (recipient === undefined) throw wrongOption(sources, "to", "is not an address of L1");
  const token = await bridge.bridgedToken(
    sides,
    tokenName(options.token),
    resolve(options.addresses),
  );
  const amount = readAmount(parsed.positionals[0] ?? "", token.decimals);
  using file = bridge.TransferFile.open(
    resolve(options.transfer),
    transferOf("withdrawal", sides, token, amount, recipient, hexFromFelt(sides.l2Address)),
  );
  const outcome = await bridge.withdraw(sides, file, { token, amount, recipient }, context.out);
  return report(context, file.path, outcome, () => [
    `${bridge.amountText(amount, token)} are paid out to ${recipient} on L1`,
  ]);
}

/** Implements `appchain bridge status FILE`. */
export async function runBridgeStatus(
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const { positionals } = parseArguments({}, argv, context.environment, TRANSFER_WORDS);
  const path = resolve(positionals[0] ?? "");
  const { bridge, sides } = await begin(context, null);
  const lines = await bridge.transferStatus(sides, path);
  if (lines === undefined) throw wrongCommandLine("FILE", `there is no ${path}`);
  for (const line of lines) context.out(line);
  return EXIT.ok;
}

/** Loads the code for L1 and L2 here, because it is large and other commands do not need it. */
async function begin(context: CliContext, account: string | null) {
  const [bridge, bootstrap] = await Promise.all([
    import("#app/bridge/index.ts"),
    import("#app/bootstrap/index.ts"),
  ]);
  const { settings, warnings } = bootstrap.readBridgeSettings(context.environment);
  for (const warning of warnings) context.err(`warning: ${warning}`);
  const address = account === null ? null : bootstrap.readL2Address(account);
  if (address === undefined) throw wrongCommandLine("--account", "is not an address of L2");
  const waiting = { timer: KEEPING_TIMER, signal: context.signal };
  return { bridge, bootstrap, sides: bridge.sidesOf(settings, address, waiting) };
}

function tokenName(text: string) {
  return text === "eth" || text === "fee" ? text : (text.toLowerCase() as `0x${string}`);
}

function transferOf(
  kind: Transfer["kind"],
  { settings }: { readonly settings: { readonly appChainId: string; readonly l1ChainId: number } },
  token: { readonly l1Token: string; readonly l1Bridge: string; readonly l2Bridge: bigint },
  amount: bigint,
  onL1: string,
  onL2: string,
): Transfer {
  return {
    kind,
    app_chain_id: settings.appChainId,
    eth_chain_id: settings.l1ChainId,
    l1_token: token.l1Token,
    l1_bridge: token.l1Bridge,
    l2_bridge: hexFromFelt(token.l2Bridge),
    amount: String(amount),
    l1_account: onL1,
    l2_account: onL2,
  };
}

function report(
  context: CliContext,
  path: string,
  outcome: TransferOutcome,
  lines: () => readonly string[],
): number {
  switch (outcome.kind) {
    case "done":
      for (const line of lines()) context.out(line);
      return EXIT.ok;
    case "done before":
      context.out(
        `${path} is a completed transfer, so nothing was sent: name another file with --transfer to make another one`,
      );
      return EXIT.ok;
    case "waits":
      context.err(`not done yet: ${outcome.reason}. Run the same command again to continue`);
      return WAITS;
  }
}
