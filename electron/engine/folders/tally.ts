import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type {
  ItemFailure,
  NothingToCheck,
  Proof,
  RenamedItem,
  Verification,
} from '../../../shared/transfer/transfer.ts'
import type { FolderCounts } from '../core/records.ts'
import type { FolderReporter } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'

/** Failures beyond this are counted, but not named; renamed files and long paths beyond it are not reported. */
const MAX_NAMED = 100
/** For failures beyond this only the code is kept. */
const MAX_EXPLAINED = 1000
/** Longer details are cut, because they are kept with the record of the folder. */
const MAX_DETAIL_CHARS = 300

/** How a file that is done came to be there. */
type EndState = 'done' | 'already-there' | 'skipped'

const LEFT_ALONE: Proof = { verification: 'size-only', lack: 'left-alone' }

/** Counts the objects or files of one run of a folder transfer, and shows the counts on its row. */
export interface FolderTally {
  readonly counts: FolderCounts
  /** The first failures. */
  readonly failures: readonly ItemFailure[]
  /** Returns all failures since the last call. */
  takeFailed(): readonly ItemFailure[]
  /** Counts an object that the listing names. */
  found(sizeBytes: number): void
  /** Notes that the file of an object could not have the object's name. */
  renamed(key: string, path: string): void
  /** Notes that most programs can't open the file because its path (absolute) is too long, as `words` say. */
  longPath(path: string, words: string): void
  /** Notes that the listing is complete. */
  counted(): void
  /** Notes that an object turned out to be `byBytes` larger than thought. */
  resized(byBytes: number): void
  /** Notes that an object is under way. Numbers are those of the plan. */
  began(number: number): void
  done(number: number, sizeBytes: number, proof: Proof | null): void
  /** Counts an object as done because it was already there with the same content. */
  alreadyThere(number: number, sizeBytes: number, proof: Proof | null): void
  /** Counts an object as done because something else has its name and is left alone. Nothing proves what that is. */
  skipped(number: number, sizeBytes: number): void
  /** @param number null when the object is in no plan. */
  failed(number: number | null, key: string, error: TransferErrorInfo): void
  /** Notes that something counted as done turned out not to be. */
  lost(key: string, sizeBytes: number, error: TransferErrorInfo): void
  /** Returns the first of the weakest proofs. Throws TransferError `items-failed` when any object failed. */
  outcome(): Proof | NothingToCheck
}

/** @param known the totals, if they are known from the start: then `found` is never called. */
export function createFolderTally(
  report: FolderReporter,
  known: Pick<FolderCounts, 'total' | 'totalBytes'> | null = null,
): FolderTally {
  const sums = known ?? { total: 0, totalBytes: 0 }
  let counts: FolderCounts = { done: 0, failed: 0, doneBytes: 0, isCounted: known !== null, ...sums }
  const failures = createFailureList()
  const proofs = new Map<Verification, Proof>()
  // Replaces the counts of the previous run.
  report.items(counts)
  if (known !== null) report.size(counts.totalBytes)

  function change(changes: Partial<FolderCounts>): void {
    counts = { ...counts, ...changes }
    report.items(counts)
  }

  function end(state: EndState, number: number, sizeBytes: number, proof: Proof | null): void {
    report.file(number, state)
    if (proof !== null && !proofs.has(proof.verification)) proofs.set(proof.verification, proof)
    change({ done: counts.done + 1, doneBytes: counts.doneBytes + sizeBytes, ...untransferred(state, counts) })
  }

  function fail(key: string, error: TransferErrorInfo): void {
    if (!failures.add(key, error)) return
    report.failures([...failures.named])
    report.log(`${key}: ${error.detail}`, error.requestId)
  }

  return {
    failures: failures.named,
    takeFailed: failures.take,
    get counts() {
      return counts
    },
    found(sizeBytes) {
      change({ total: counts.total + 1, totalBytes: counts.totalBytes + sizeBytes })
      report.size(counts.totalBytes)
    },
    ...tellingPaths(report),
    counted: () => change({ isCounted: true }),
    resized(byBytes) {
      if (byBytes === 0) return
      change({ totalBytes: counts.totalBytes + byBytes })
      report.size(counts.totalBytes)
    },
    began: (number) => report.file(number, 'active'),
    done: (number, sizeBytes, proof) => end('done', number, sizeBytes, proof),
    alreadyThere: (number, sizeBytes, proof) => end('already-there', number, sizeBytes, proof),
    skipped: (number, sizeBytes) => end('skipped', number, sizeBytes, LEFT_ALONE),
    failed(number, key, error) {
      if (number !== null) report.file(number, 'failed')
      change({ failed: counts.failed + 1 })
      fail(key, error)
    },
    lost(key, sizeBytes, error) {
      change({ done: counts.done - 1, doneBytes: counts.doneBytes - sizeBytes, failed: counts.failed + 1 })
      fail(key, error)
    },
    outcome() {
      const [first] = failures.named
      if (first !== undefined) throw failureOf(counts, first)
      if (counts.total === 0) return { verification: null }
      const { verification, lack } = weakestOf(proofs) ?? { verification: 'etag-md5' }
      return lack === undefined ? { verification } : { verification, lack }
    },
  }
}

/** How the counts of files without a transfer change. */
function untransferred(state: EndState, { alreadyThere = 0, skipped = 0 }: FolderCounts): Partial<FolderCounts> {
  if (state === 'already-there') return { alreadyThere: alreadyThere + 1 }
  return state === 'skipped' ? { skipped: skipped + 1 } : {}
}

/** Reports paths that are not what a person looks for, or that can't be opened. */
function tellingPaths(report: FolderReporter): Pick<FolderTally, 'renamed' | 'longPath'> {
  const renamed: RenamedItem[] = []
  const longPaths: string[] = []
  return {
    renamed(key, path) {
      if (renamed.length === MAX_NAMED) return
      renamed.push({ key, path })
      report.renamed([...renamed])
      report.log(`${key} is saved as ${path}`)
    },
    longPath(path, words) {
      if (longPaths.length === MAX_NAMED) return
      longPaths.push(path)
      report.longPaths([...longPaths])
      // Where there is one there are many, which would crowd everything else out of the history.
      if (longPaths.length === 1) report.log(words)
    },
  }
}

/** Collects failures in the form in which they are kept. */
function createFailureList() {
  const named: ItemFailure[] = []
  let count = 0
  let untaken: ItemFailure[] = []
  return {
    /** The first failures. */
    named,
    /** @returns whether the failure is among the named ones. */
    add(key: string, error: TransferErrorInfo): boolean {
      count += 1
      const failure = { key, error: count > MAX_EXPLAINED ? codeOf(error) : shortened(error) }
      untaken.push(failure)
      return named.length < MAX_NAMED && named.push(failure) > 0
    },
    take(): readonly ItemFailure[] {
      const taken = untaken
      untaken = []
      return taken
    },
  }
}

function shortened(error: TransferErrorInfo): TransferErrorInfo {
  return { ...error, detail: error.detail.slice(0, MAX_DETAIL_CHARS) }
}

function codeOf({ code }: TransferErrorInfo): TransferErrorInfo {
  return { code, detail: '', serviceCode: null, httpStatus: null, requestId: null }
}

function failureOf({ failed, total }: FolderCounts, { key, error }: ItemFailure): TransferError {
  const detail = `${failed} of ${total} objects failed, the first one ${key}: ${error.detail}`
  return new TransferError('items-failed', detail, { requestId: error.requestId })
}

function weakestOf(proofs: ReadonlyMap<Verification, Proof>): Proof | undefined {
  return WEAKEST_FIRST.map((verification) => proofs.get(verification)).find((proof) => proof !== undefined)
}

const WEAKEST_FIRST: readonly Verification[] = [
  'unproven',
  'size-only',
  'evidence',
  'crc',
  'digest',
  'etag-multipart',
  'etag-md5',
]
