// Numbers that more than one part of the app relies on.

/** One mebibyte in bytes. */
export const MIB = 1024 * 1024

/** Every part but the last must be larger than this (docs/dialect.md, Semantics). */
export const MIN_PART_SIZE_BYTES = 5 * MIB
/** Part sizes chosen by the line or a service's limits are multiples of this if those limits leave room (bytes). */
export const PART_STEP_BYTES = MIB / 16
/** When nothing is known about the line, a file of ordinary size is cut into parts of at least this (bytes). */
export const USUAL_PART_BYTES = MIN_PART_SIZE_BYTES + PART_STEP_BYTES
/** Part numbers run from 1 to this (docs/dialect.md, Semantics). */
export const MAX_PART_COUNT = 10_000
/** A key has 1 to this many UTF-8 bytes (docs/dialect.md, Requests). */
export const MAX_KEY_BYTES = 1024
/** A signed request whose Date is further off than this is refused (docs/dialect.md, Signature). */
export const MAX_CLOCK_SKEW_MS = 15 * 60 * 1000

/** After a pause, or when the app quits, requests that would end within this time may do so (milliseconds). */
export const PAUSE_FINISH_MS = 2500
export const QUIT_FINISH_MS = 2500
/** The same before the machine sleeps, for which systems give little time. */
export const SLEEP_FINISH_MS = 1000

/** Files up to this size go up in one PutObject. */
export const SINGLE_PUT_MAX_BYTES = 6 * MIB
/** Part sizes that the planner aims for on fast lines. */
export const PLANNED_PART_MIN_BYTES = 8 * MIB
export const PLANNED_PART_MAX_BYTES = 64 * MIB

/** The bytes that one cell of a download's parts map stands for. */
export const SEGMENT_SIZE_BYTES = 8 * MIB
/** Claims are committed after this much time or this many bytes, whichever comes first. */
export const COMMIT_INTERVAL_MS = 1000
export const COMMIT_INTERVAL_BYTES = 64 * MIB
/** After this many bytes, what is written but not synced yet is noted beside the partial file. */
export const NOTE_INTERVAL_BYTES = 2 * MIB
/** Writes are gathered into blocks of this size, or of what arrived within this time (milliseconds). */
export const WRITE_BLOCK_BYTES = MIB
export const WRITE_BLOCK_MS = 500

/** Objects of a folder up to this size are fetched with one request, and get no partial file of their own. */
export const SMALL_OBJECT_MAX_BYTES = 8 * MIB
/** The most bytes of small objects in memory at a time. */
export const SMALL_OBJECTS_BUDGET_BYTES = 32 * MIB

/** How many transfers run at a time if the settings don't say. */
export const DEFAULT_ACTIVE_TRANSFERS = 3
/** The most transfers at a time, and connections of one transfer, that the settings accept. */
export const MAX_AT_A_TIME = 16

/** No bandwidth limit is lower than this (bytes a second). */
export const MIN_RATE_LIMIT = 1024

/** Objects up to this size can be previewed in the window (bytes). */
export const PREVIEW_MAX_BYTES = 5_000_000
/** Decoding a larger image takes the page seconds, and hundreds of megabytes. */
export const PREVIEW_MAX_PIXELS = 50_000_000

/** The smallest and largest part size that a person can choose (MiB). */
export const MIN_CHOSEN_PART_MIB = 6
export const MAX_CHOSEN_PART_MIB = 5 * 1024

/** The longest that a signed link can be valid, seconds (AWS: Query parameters). */
export const MAX_LINK_SECONDS = 7 * 24 * 3600

/** Watchdogs (milliseconds). Completing an upload may take a store minutes: 300 s + 50 ms a part. */
export const CONNECT_TIMEOUT_MS = 10_000
export const HEADERS_TIMEOUT_MS = 30_000
/** A request that is not answered by then is reported. Even the farthest servers answer sooner. */
export const SILENCE_TOLD_MS = 2_000
export const IDLE_TIMEOUT_MS = 15_000
/** An answer that brings less than this many bytes in this time counts as silent, on any line. */
export const TRICKLE_BYTES = 30 * 1024
export const TRICKLE_TIMEOUT_MS = 60_000
/**
 * The longest that an answer may take to a request with a body of file bytes. It only ends requests that no watchdog
 * watches, because queues on slow lines take minutes.
 */
export const BODY_TIMEOUT_MS = 900_000
export const COMPLETE_TIMEOUT_BASE_MS = 300_000
export const COMPLETE_TIMEOUT_PER_PART_MS = 50

/** If Retry-After is longer than this, the request is tried again after this long anyway: it may be a mistake. */
export const RETRY_AFTER_CAP_MS = 120_000
/** The window shows tries as "n of 8" until progress resets the count. */
export const TRIES_BEFORE_LONG_WAIT = 8
/** How long an object is read back after NoSuchUpload before the upload counts as lost. */
export const LOST_UPLOAD_READ_BACK_MS = 20_000

/** The most ids, paths, keys or links that one request of the window may carry. */
export const MAX_REQUEST_ITEMS = 100_000
/** The most links from outside at a time; no person means to open more. */
export const MAX_OPENED_LINKS = 1000
/** The largest delta message to the window. */
export const MAX_DELTA_BYTES = 256 * 1024
/** The longest label of a place, UTF-16 units. */
export const MAX_PLACE_LABEL = 24
/** How long a short message stays in the window (milliseconds). */
export const TOAST_TIME_MS = 8000

/** How long something dragged must rest on a folder or place to open it, milliseconds. */
export const SPRING_MS = 900
/** The most cells of a parts map; with more parts, one cell stands for several. */
export const MAX_PARTS_MAP_CELLS = 2000
