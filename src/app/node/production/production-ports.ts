import { DevnetFault } from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ControlCommand } from "#services/sequencer/index.ts";
import type { ControlClient } from "./control-client.ts";
import type { L1ProductionPorts } from "../l1/l1-connection.ts";

/** Adapts the executor to the actions that following L1 triggers. */
export function l1ProductionPorts(
  control: Pick<ControlClient, "order">,
  log: Pick<Logger, "debug">,
): L1ProductionPorts {
  const order = async (command: ControlCommand): Promise<void> => {
    try {
      await control.order(command, "set");
    } catch (error) {
      // The threads have stopped: following L1 restarts with them.
      if (!(error instanceof DevnetFault)) throw error;
      log.debug("the executor did not accept a command caused by L1", {
        order: command.kind,
        reason: error.message,
      });
    }
  };
  return {
    async execute(orders) {
      const messages = orders.map(({ bytes, l1TransactionHash, l1BlockNumber }) => {
        return { bytes, l1TransactionHash, l1BlockNumber };
      });
      try {
        return (await control.order({ kind: "messages", messages }, "consumed")).outcomes;
      } catch (error) {
        if (!(error instanceof DevnetFault)) throw error;
        log.debug("messages from L1 were not executed", { reason: error.message });
        return orders.map(() => ({ kind: "interrupted" }));
      }
    },
    setPrices: (prices) => void order({ kind: "setL1Prices", prices }),
    halt: (reason) => void order({ kind: "halt", reason }),
  };
}
