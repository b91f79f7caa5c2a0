import { readPortOrOff, switchOption, valueOption } from "./option.ts";

const group = "Other endpoints";

const PORT_OR_OFF = "port from 0 to 65535, or off";

/** Endpoints beside JSON-RPC. */
export const endpointOptions = {
  metricsPort: valueOption(
    {
      flag: "metrics-port",
      value: "PORT",
      group,
      summary: "Prometheus endpoint on the local host; off turns it off",
    },
    PORT_OR_OFF,
    readPortOrOff,
    9615,
  ),
  metricsExternal: switchOption({
    flag: "metrics-external",
    group,
    summary: "accept non-local metrics connections: listen on 0.0.0.0",
  }),
  gatewayPort: valueOption(
    {
      flag: "gateway-port",
      notBuilt: true,
      value: "PORT",
      group,
      summary: "serve the feeder gateway and gateway, for full nodes to follow this one",
      defaultText: "off",
    },
    PORT_OR_OFF,
    readPortOrOff,
    null,
  ),
  gatewayExternal: switchOption({
    flag: "gateway-external",
    notBuilt: true,
    group,
    summary: "accept non-local gateway connections: listen on 0.0.0.0",
  }),
};
