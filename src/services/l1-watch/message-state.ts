import type { L1BlockId, L1View, MessageState } from "#io/l1/index.ts";
import type { HeldBackReason } from "./message-ports.ts";
import type { WaitingMessage } from "./waiting-message.ts";

/** A message that is not executed because of its state on L1. */
export interface StoppedMessage {
  readonly message: WaitingMessage;
  readonly reason: HeldBackReason;
  /** The L1 block in which it has that state. */
  readonly seenIn: L1BlockId;
}

/** Messages split by their state on L1. */
export interface SortedMessages {
  readonly sound: readonly WaitingMessage[];
  readonly stopped: readonly StoppedMessage[];
}

/** Splits messages by their state in the block of a view. */
export async function splitByState(
  view: Pick<L1View, "block" | "messages">,
  messages: readonly WaitingMessage[],
): Promise<SortedMessages> {
  const states = await view.messages(messages.map(({ messageHash }) => messageHash));
  const sound: WaitingMessage[] = [];
  const stopped: StoppedMessage[] = [];
  messages.forEach((message, index) => {
    const reason = whyNot(states[index]);
    if (reason === undefined) sound.push(message);
    else stopped.push({ message, reason, seenIn: view.block });
  });
  return { sound, stopped };
}

function whyNot(state: MessageState | undefined): HeldBackReason | undefined {
  if (state === undefined || state.feePlusOne === 0n) return { kind: "gone" };
  const { cancellationStarted } = state;
  if (cancellationStarted === 0n) return undefined;
  return { kind: "cancellation", startedUnixSeconds: cancellationStarted };
}
