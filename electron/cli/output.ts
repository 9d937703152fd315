import { describeCheck, lackWords } from '../../shared/transfer/words/proof-words.ts'
import type { ProofLack, TransferRow, Verification, WaitState } from '../../shared/transfer/transfer.ts'
import { isOfService, waitWords } from '../../shared/transfer/words/wait-words.ts'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import { INVISIBLE, visibleText } from '../../shared/visible-text.ts'
import { errnoCode } from '../engine/index.ts'

/** Where a command writes. No other part of the command line prints anything. */
export interface Output {
  /** One result: a line of text, or with `--json` one JSON object on a line. */
  result(json: Readonly<Record<string, unknown>>, text: string): void
  /** A result of several lines, none of which comes from a server. */
  page(json: Readonly<Record<string, unknown>>, text: string): void
  /** Why the command failed: on stderr, and with `--json` also as the last line on stdout. */
  failure(json: Readonly<Record<string, unknown>>, text: string): void
  /** A message along the way: on stderr, or with `--json` as a line on stdout. */
  aside(json: Readonly<Record<string, unknown>>, text: string): void
  /** A remark on stderr; left out with `--json`. */
  note(text: string): void
  /** The state of the running transfers: a bar on a terminal, a line now and then with `--json`. */
  progress(rows: readonly TransferRow[]): void
  /**
   * Why nothing moves: on stderr when the reason changes, and again after a minute; with `--json` every time, as a line on
   * stdout, or on stderr for a list.
   */
  waiting(wait: WaitState): void
  /** `host` has not answered for a while but still may. Printed as often as `waiting`. */
  unanswered(host: string): void
  /** What may still finish before the command stops: in place of the bar, or with `--json` as a line. */
  finishing(units: number, text: string): void
  /** The results are items of a list: from now on lines that tell why nothing moves are on stderr. */
  listsItems(): void
  /** Ends the bar's line. */
  endProgress(): void
  /**
   * Resolves when the results so far have been read; to false if nobody reads any more. Commands that only print wait
   * for it between pages; otherwise they would request, and keep in memory, pages that nobody reads.
   */
  hasReader(): Promise<boolean>
  /**
   * Resolves when all output has left the process, or can't: a pipe takes no more than its reader does, and the app's
   * own program ends without waiting for it. Resolves with an error if results were lost, unless the reader had closed.
   */
  written(): Promise<Error | null>
}

const JSON_PROGRESS_INTERVAL_MS = 500
const BAR_INTERVAL_MS = 100
const WAIT_SAID_AGAIN_MS = 60_000
const BAR_WIDTH = 28

export function createOutput(json: boolean, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  let drawn = false
  let isList = false
  let shownAtMs = Number.NEGATIVE_INFINITY
  const writes = watchWrites(stdout, stderr)
  const clear = (): void => {
    if (drawn) stderr.write('\r\u001b[K')
    drawn = false
  }
  const sayWait = createWaitLine((line) => stderr.write(line), clear)
  const tellWait = (wait: WaitState, text: string, meanwhile: string): void => {
    if (json) (isList ? stderr : stdout).write(`${jsonLine(waitEvent(wait, text))}\n`)
    else sayWait(text, meanwhile)
  }
  return {
    result(value, text) {
      clear()
      stdout.write(`${json ? jsonLine(value) : visibleText(text)}\n`)
    },
    page(value, text) {
      clear()
      stdout.write(`${json ? jsonLine(value) : text}\n`)
    },
    failure(value, text) {
      clear()
      if (json) stdout.write(`${jsonLine(value)}\n`)
      stderr.write(`sluice: ${visibleText(text)}\n`)
    },
    aside(value, text) {
      clear()
      if (json) stdout.write(`${jsonLine(value)}\n`)
      else stderr.write(`${visibleText(text)}\n`)
    },
    note(text) {
      clear()
      if (!json) stderr.write(`${visibleText(text)}\n`)
    },
    progress(rows) {
      const nowMs = performance.now()
      if (nowMs - shownAtMs < (json ? JSON_PROGRESS_INTERVAL_MS : BAR_INTERVAL_MS)) return
      shownAtMs = nowMs
      if (json) stdout.write(`${jsonLine({ event: 'progress', ...sumOf(rows) })}\n`)
      else if (stderr.isTTY) {
        stderr.write(`\r\u001b[K${progressLine(rows, Date.now()).slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`)
        drawn = true
      }
    },
    waiting(wait) {
      const text = waitText(wait)
      if (text !== null) tellWait(wait, text, isOfService(wait.reason) ? 'Trying again…' : 'Waiting…')
    },
    unanswered(host) {
      tellWait(firstTryAt(host), `${host} has not answered yet`, 'Waiting…')
    },
    finishing(units, text) {
      if (json) stdout.write(`${jsonLine({ event: 'finishing', units })}\n`)
      else if (stderr.isTTY) {
        clear()
        stderr.write(text)
        drawn = true
      }
    },
    listsItems: () => void (isList = true),
    endProgress: clear,
    ...writes,
  }
}

function watchWrites(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Pick<Output, 'hasReader' | 'written'> {
  let cutBy: Error | null = null
  let isLeft = false
  stdout.on('error', (failure) => {
    isLeft = true
    if (errnoCode(failure) !== 'EPIPE') cutBy ??= failure
  })
  stderr.on('error', () => undefined)
  // A stream reports a failure only after the write has returned.
  const flushed = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => stream.write('', () => setImmediate(resolve)))
  return {
    async hasReader() {
      await flushed(stdout)
      return !isLeft
    },
    async written() {
      await Promise.all([stdout, stderr].map(flushed))
      return cutBy
    },
  }
}

/** Prints why nothing moves (`text`, without a full stop) and what is done; the same text only once a minute. */
function createWaitLine(write: (line: string) => void, clear: () => void): (text: string, then: string) => void {
  let said = { text: '', atMs: Number.NEGATIVE_INFINITY }
  return (text, then) => {
    if (text === said.text && performance.now() - said.atMs < WAIT_SAID_AGAIN_MS) return
    clear()
    write(`${visibleText(text)}. ${then}\n`)
    said = { text, atMs: performance.now() }
  }
}

function jsonLine(value: unknown): string {
  return harmlessJson(JSON.stringify(value))
}

/** Equivalent JSON without characters that a terminal would obey or not show. Pure. */
export function harmlessJson(json: string): string {
  return json.replace(UNSHOWN, escaped)
}

const UNSHOWN = new RegExp(`\\x7f|${INVISIBLE.source}`, 'gu')

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

function sumOf(rows: readonly TransferRow[]): {
  readonly transfers: number
  readonly confirmedBytes: number
  readonly sizeBytes: number | null
  readonly bytesPerSecond: number
  readonly etaSeconds: number | null
} {
  const sizes = rows.map((row) => row.sizeBytes)
  return {
    transfers: rows.length,
    confirmedBytes: rows.reduce((sum, row) => sum + row.confirmedBytes, 0),
    sizeBytes: sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0),
    bytesPerSecond: rows.reduce((sum, row) => sum + row.bytesPerSecond, 0),
    etaSeconds: rows.reduce<number | null>((most, { etaSeconds }) => longer(most, etaSeconds), 0),
  }
}

function longer(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other)
}

/** One line that shows progress, for example `███░░ 62 %  7.9 GB of 12.7 GB  48.2 MB/s`. Pure. */
export function progressLine(rows: readonly TransferRow[], nowMs: number): string {
  const waiting = rows.find((row) => row.status === 'waiting')
  const { confirmedBytes, sizeBytes, bytesPerSecond } = sumOf(rows)
  const share = sizeBytes === null || sizeBytes === 0 ? 0 : Math.min(1, confirmedBytes / sizeBytes)
  const full = Math.round(share * BAR_WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
  const size = sizeBytes === null ? '' : ` of ${formatBytes(sizeBytes)}`
  const doing = waiting?.wait ? `waiting, ${nextTry(waiting.wait, nowMs)}` : `${formatBytes(bytesPerSecond)}/s`
  return `${bar} ${Math.floor(share * 100)} %  ${formatBytes(confirmedBytes)}${size}  ${doing}`
}

function nextTry({ reason, retryAtMs, attempt }: WaitState, nowMs: number): string {
  if (reason === 'drive-unresponsive') return 'the drive isn’t responding'
  if (retryAtMs === null) return `try ${attempt}`
  return `try ${attempt} in ${Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000))} s`
}

/** Returns null for the state of a file or disk that ends a command, because the command's error says so. */
function waitText({ reason, cause = null }: WaitState): string | null {
  if (reason === 'drive-unresponsive') return 'The drive with the file isn’t responding'
  // The host of a cause is that of the proxy, if a proxy is at fault.
  return isOfService(reason)
    ? waitWords(reason, cause, (reason === 'proxy' ? null : cause?.host) ?? 'the server')
    : null
}

function firstTryAt(host: string): WaitState {
  return { reason: 'network', cause: { code: 'no-answer', host, httpStatus: null }, retryAtMs: null, attempt: 1 }
}

function waitEvent({ reason, cause, retryAtMs, attempt }: WaitState, message: string) {
  return {
    event: 'waiting',
    code: cause?.code ?? reason,
    reason,
    message,
    host: cause?.host ?? null,
    httpStatus: cause?.httpStatus ?? null,
    attempt,
    nextTryAt: retryAtMs === null ? null : new Date(retryAtMs).toISOString(),
  }
}

/** What an event says about a copy that was not fully checked; empty when there is nothing to say. */
export function whyNotMore(lack: ProofLack | undefined) {
  return lack === undefined
    ? {}
    : {
        reason: lack,
        message: `${lack === 'left-alone' ? 'Not all was checked' : 'Only the size was checked'}: ${lackWords(lack)}.`,
      }
}

/** Words for what proved that the copy equals its origin, or for why nothing did. */
export function verificationWords(verification: Verification | null, lack?: ProofLack): string {
  return describeCheck(verification ?? 'size-only', lack)
}
