// The ranges and defaults of options that are numbers.

/** The most connections at a time. */
export const MAX_CONNECTIONS = 64

/** How long outages and Retry-After are waited out without any progress, seconds. */
export const GIVE_UP_AFTER_SECONDS = 15 * 60
/** The same before the first connection: an address where nothing answers is probably mistyped (seconds). */
export const GIVE_UP_UNREACHED_SECONDS = 18
/** The longest time that may be given: a week. */
export const MAX_GIVE_UP_SECONDS = 7 * 24 * 60 * 60
