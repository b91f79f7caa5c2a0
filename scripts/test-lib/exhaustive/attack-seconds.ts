/**
 * Time of each attack at full size on two cores, by its name: estimated by its rounds and waits. It only
 * decides how attacks are divided among the slices.
 */
export const ATTACK_SECONDS: Readonly<Record<string, number>> = {
  "bootstrap-kills": 220,
  "cairo0-classes": 90,
  "dropped-transactions": 80,
  failover: 130,
  "failover-kills": 200,
  "failover-pauses": 350,
  "feeder-flood": 90,
  "forgetful-store": 400,
  "gate-kills": 150,
  "gateway-lies": 60,
  "half-dead-gateway": 180,
  "hostile-store": 120,
  "l1-messages": 150,
  "l1-wrong-root": 300,
  "query-flood": 80,
  "refused-blocks": 180,
  "slow-gateway": 60,
  "slow-uploads": 90,
  "snapshot-faults": 240,
  "socket-flood": 130,
  "store-outages": 420,
  "hung-disk": 120,
};
