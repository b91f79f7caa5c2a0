/** Time of each attack at full size on two cores, by its name. */
export const ATTACK_SECONDS: Readonly<Record<string, number>> = {};
