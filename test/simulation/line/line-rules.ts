/** What a line must never see. */
export type LineRule =
  /** More than this of an object came twice, or in vain, by the engine's own decision. */
  | 'carriedTwice'
  /** A request was given up while its bytes, or those before them, still moved. */
  | 'givenUpWhileMoving'
  /** A request was given up that lacked nothing but bytes of its file: the next one lacks them, too. */
  | 'givenUpForSource'
  /** A transfer took much longer than the line needs. */
  | 'slowerThanLine'
  /** A kill cost bytes that had come long before it. */
  | 'lostByKill'
  /** More requests within a second, or in vain within a minute, than bytes and faults explain. */
  | 'requestStorm'

/** Of the file; a part, or a MiB of a download, comes on top. */
export const MOST_TWICE_SHARE = 0.05
/** A line that has carried nothing for so long may be given up (milliseconds). */
export const DEAD_LINE_MS = 10_000
/** What waited behind a dead line comes so long after that is back (milliseconds). */
export const BACK_AFTER_MS = 2000
/** What comes is kept after this, and what the disk needs (milliseconds). */
export const DURABLE_AFTER_MS = 2000
export const DISK_SLACK_MS = 500
/** A transfer may take so many times what the line needs, and these besides (milliseconds). */
export const MOST_SLOWNESS = 1.5
export const START_MS = 10_000
/** What it takes to see that a connection has fallen to a crawl, and to make up for it (milliseconds). */
export const CRAWL_MS = 10_000
/** What it takes to see that a file gives no bytes, and to let others go on (milliseconds). */
export const HANG_MS = 10_000
/**
 * Requests within a second that need no explanation: over as many connections as pay, and over the few that were told.
 */
export const MOST_REQUESTS_PER_SECOND = 64
export const MOST_REQUESTS_OF_FEW_PER_SECOND = 24
