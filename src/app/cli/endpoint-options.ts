import { readInteger, readPortOrOff, switchOption, valueOption } from "./option.ts";

const group = "Other endpoints";

const PORT_OR_OFF = "port from 0 to 65535, or off";

const MAX_RATE = 1_000_000;

/** Endpoints other than JSON-RPC. */
export const endpointOptions = {
  metricsPort: valueOption(
    {
      flag: "metrics-port",
      value: "PORT",
      group,
      summary: "port of the Prometheus endpoint on the local host, or off",
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
      value: "PORT",
      group,
      summary: "serve the feeder gateway and gateway, so that full nodes can follow this node",
      defaultText: "off",
    },
    PORT_OR_OFF,
    readPortOrOff,
    null,
  ),
  gatewayExternal: switchOption({
    flag: "gateway-external",
    group,
    summary: "accept non-local gateway connections: listen on 0.0.0.0",
  }),
  gatewayRateLimit: valueOption(
    {
      flag: "gateway-rate-limit",
      value: "N",
      group,
      summary:
        "gateway requests per second per IPv4 address or IPv6 /64, with a burst of 5 s worth; 0 means no limit; do not use behind a proxy",
    },
    `integer from 0 to ${MAX_RATE}`,
    readInteger(0, MAX_RATE),
    0,
  ),
};
