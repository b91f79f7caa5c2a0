/**
 * Time of each attack at full size on two cores, by its name: measured, or estimated by its rounds and
 * waits. It only decides how attacks are divided among the slices.
 */
export const ATTACK_SECONDS: Readonly<Record<string, number>> = {
  "bootstrap-kills": 240,
  "cairo0-classes": 15,
  "dropped-transactions": 65,
  "early-answers": 45,
  failover: 130,
  "failover-kills": 240,
  "failover-pauses": 270,
  "feeder-flood": 160,
  "forgetful-store": 400,
  "gate-kills": 150,
  "gateway-flood": 180,
  "gateway-lies": 25,
  "half-dead-gateway": 180,
  "heavy-reverts": 30,
  "hostile-store": 120,
  "hung-disk": 120,
  "l1-messages": 55,
  "l1-wrong-root": 300,
  "large-traces": 10,
  "paid-long-work": 175,
  "query-flood": 75,
  "refused-blocks": 180,
  "slow-gateway": 120,
  "slow-uploads": 55,
  "snapshot-faults": 95,
  "socket-flood": 120,
  "store-outages": 400,
  "unpaid-declares": 20,
};
