import { readObjectStoreUrl } from "#io/objects/index.ts";
import {
  durationOption,
  fileOption,
  integerOption,
  switchOption,
  valueOption,
} from "./build-option.ts";
import { readUrl } from "./read-option.ts";

const group = "Several machines";
const usedBy = "sequencer";

/** Text for help and errors: the form of an object store's address. */
export const STORE_FORM = "s3://BUCKET/PREFIX?endpoint=URL&region=NAME";

/** Options of sequencers of one chain on several machines. */
export const replicationOptions = {
  /** Store in which blocks are published before they become visible. */
  store: valueOption(
    {
      flag: "publish-gate",
      value: "STORE",
      group,
      usedBy,
      summary: `object store where a sequencer publishes each block before it is announced: ${STORE_FORM}`,
    },
    STORE_FORM,
    readObjectStoreUrl,
    null,
  ),
  standby: switchOption({
    flag: "standby",
    group,
    usedBy,
    summary: "follow the sequencer that publishes there, and take over when it stops responding",
  }),
  takeoverAfterMs: integerOption(
    {
      flag: "takeover-after",
      value: "MS",
      group,
      usedBy,
      summary: "silence of the leading sequencer after which a standby takes over, in milliseconds",
    },
    [2_000, 600_000],
    4_000,
  ),
  /** Maximum wait of submissions while no sequencer leads; 0 to refuse them immediately. */
  takeoverHoldMs: durationOption(
    {
      flag: "takeover-hold",
      group,
      usedBy,
      summary:
        "maximum time for which a non-leading sequencer holds submissions during a change of leader; 0s holds none",
    },
    // Full nodes wait 20 s for a sequencer's response to a transaction.
    ["0s", "1min"],
    "15s",
  ),
  /** Maximum wait of a block at the publish gate while the leader's heartbeats are written. */
  publishTimeoutMs: durationOption(
    {
      flag: "publish-timeout",
      group,
      usedBy,
      summary:
        "maximum time that a block of the leading sequencer waits for the store while the store still accepts its heartbeats; then it gives up leadership and stops with exit code 1",
    },
    // The minimum covers several attempts of a put over a slow connection to the store.
    ["5s", "1h"],
    "10s",
  ),
  /** URL at which other nodes reach this node's gateway; `null` to use its listen address. */
  advertisedGateway: valueOption(
    {
      flag: "advertise-gateway",
      value: "URL",
      group,
      usedBy,
      summary: "gateway address of this sequencer, for the other sequencers",
      defaultText: "where --gateway-port listens",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
};

/** Options of an object store that a full node follows, and of access to any. */
export const storeOptions = {
  followedStore: valueOption(
    {
      flag: "follow",
      value: "STORE",
      group,
      usedBy: "full",
      summary:
        "object store from which a full node reads blocks, instead of a gateway; transactions go to --gateway-url",
    },
    STORE_FORM,
    readObjectStoreUrl,
    null,
  ),
  objectStoreCredentialsFile: fileOption({
    flag: "object-store-credentials-file",
    group,
    summary:
      "file with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and optionally AWS_SESSION_TOKEN as NAME=VALUE lines, readable only by its owner",
    defaultText: "they are read from the environment",
  }),
};
