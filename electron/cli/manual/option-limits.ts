// What the numbers of options may be, and what they are where none is given.

/** Connections at a time. */
export const MAX_CONNECTIONS = 64

/** Outages and Retry-After are waited out this long without any progress, seconds. */
export const GIVE_UP_AFTER_SECONDS = 15 * 60
/** An address where nothing answers, before any connection was made, is mistyped rather than out of order (seconds). */
export const GIVE_UP_UNREACHED_SECONDS = 18
/** A week. */
export const MAX_GIVE_UP_SECONDS = 7 * 24 * 60 * 60
