import { type Message, messageFromL1, messagesToL1 } from "../../decode/messages.ts";
import { Badge, Card, Fact, Facts } from "../../parts/basic.tsx";
import { Growing } from "../../parts/growing.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Values } from "../../parts/value.tsx";
import { textOf } from "../../rpc/json.ts";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Messages from and to L1 of a transaction, with their state as far as this node knows it. */
export function Messages({ of: { transaction, receipt } }: { readonly of: LoadedTransaction }) {
  const received = messageFromL1(transaction);
  const sent = messagesToL1(receipt);
  const finality = textOf(receipt?.["finality_status"]);
  const count = sent.length === 1 ? "" : ` (${sent.length})`;
  return (
    <>
      {received === undefined ? null : <FromL1 message={received} finality={finality} />}
      {sent.length === 0 ? null : (
        <Card title={`Messages to L1${count}`} more={<ToL1State finality={finality} />}>
          <div class="body form">
            <Growing of={sent} what="messages">
              {(shown) => shown.map((message, i) => <ToL1 key={i} message={message} />)}
            </Growing>
            <p class="muted">
              {finality === "ACCEPTED_ON_L1"
                ? "The core contract on L1 received these messages with the block. Whether their recipient has consumed them, this node does not know: the core contract returns from l2ToL1Messages(message hash) how many it still holds."
                : "The core contract on L1 receives these messages when the block is accepted there. Until then their recipient cannot consume them."}
            </p>
          </div>
        </Card>
      )}
    </>
  );
}

function FromL1({ message, finality }: { readonly message: Message; readonly finality: string }) {
  return (
    <Card
      title="Message from L1"
      more={
        finality === "" ? (
          <Badge tone="warn">waiting</Badge>
        ) : (
          <Badge tone="good">consumed on this chain</Badge>
        )
      }
    >
      <Facts>
        <Fact name="Sender on L1">
          <Hash felt={message.from} isWhole />
        </Fact>
        <Fact name="Recipient">
          <Hash felt={message.to} to="contract" isWhole />
        </Fact>
        <Fact name="Message hash">
          <Hash felt={message.hash} isWhole />
        </Fact>
        <Fact name="On L1">
          {finality === "ACCEPTED_ON_L1"
            ? "The core contract has deleted the message: the block is accepted there."
            : "The core contract holds the message until the block is accepted there, if the message came from L1."}{" "}
          JSON-RPC does not name its transaction on L1; search for the hash of that transaction to
          see the state of all its messages.
        </Fact>
      </Facts>
    </Card>
  );
}

function ToL1State({ finality }: { readonly finality: string }) {
  return finality === "ACCEPTED_ON_L1" ? (
    <Badge tone="good">on L1</Badge>
  ) : (
    <Badge tone="warn">not on L1 yet</Badge>
  );
}

function ToL1({ message }: { readonly message: Message }) {
  return (
    <section>
      <h3>
        from <Hash felt={message.from} to="contract" /> to <Hash felt={message.to} />
      </h3>
      <div class="muted">
        message hash <Hash felt={message.hash} isWhole />
      </div>
      <Values list={{ values: [], rest: message.payload, problem: null }} />
    </section>
  );
}
