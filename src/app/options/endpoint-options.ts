import { integerOption, portOrOffOption, switchOption } from "./build-option.ts";

const group = "Other endpoints";

/** Options of the metrics endpoint. */
export const metricsOptions = {
  port: portOrOffOption(
    {
      flag: "metrics-port",
      group,
      summary: "port of the Prometheus endpoint on the local host, or off",
    },
    9615,
  ),
  isExternal: switchOption({
    flag: "metrics-external",
    group,
    summary: "accept non-local metrics connections: listen on 0.0.0.0",
  }),
};

/** Options of the feeder gateway and gateway. */
export const gatewayOptions = {
  port: portOrOffOption(
    {
      flag: "gateway-port",
      group,
      summary: "serve the feeder gateway and gateway, so that full nodes can follow this node",
    },
    null,
  ),
  isExternal: switchOption({
    flag: "gateway-external",
    group,
    summary: "accept non-local gateway connections: listen on 0.0.0.0",
  }),
  ratePerSecond: integerOption(
    {
      flag: "gateway-rate-limit",
      group,
      summary:
        "gateway requests per second per IPv4 address or IPv6 /64, with a burst of 5 s worth; 0 means no limit; do not use behind a proxy",
    },
    [0, 1_000_000],
    0,
  ),
};
