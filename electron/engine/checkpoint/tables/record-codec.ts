// Turns records into JSON for the database, and back. What can't be read is reported or left out, never guessed.

import { z } from 'zod'
import { CONFLICTS } from '../../../../shared/conflict.ts'
import { WAIT_CAUSE_CODES } from '../../../../shared/wait-cause.ts'
import { PROOF_LACKS, SKIP_REASONS, type ItemFailure } from '../../../../shared/transfer/transfer.ts'
import { TRANSFER_ERROR_CODES } from '../../../../shared/transfer/transfer-error.ts'
import { fitting, parseForeign } from '../../../parsing/fitting.ts'
import type {
  DueAbort,
  FolderItem,
  KeptHistory,
  PartRecord,
  PlanPage,
  RangeRecord,
  SentFile,
  StoreLocation,
  TransferRecord,
} from '../../core/records.ts'

const count = z.number().int().nonnegative()
const text = z.string()
const decimal = z.string().regex(/^-?\d+$/)

const location = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('place'), placeId: text, bucket: text }),
  z.object({ kind: z.literal('link'), url: text, signIn: text.optional() }),
]) satisfies z.ZodType<StoreLocation>

const error = z.object({
  code: z.enum(TRANSFER_ERROR_CODES),
  detail: text,
  serviceCode: text.nullable(),
  httpStatus: z.number().nullable(),
  requestId: text.nullable(),
  dispute: z
    .object({
      found: z.object({ sizeBytes: count.nullable(), etag: text.nullable(), lastModified: text.nullable() }).nullable(),
      expected: z.object({ sizeBytes: count.nullable(), etag: text.nullable() }),
    })
    .optional(),
  waitCause: z
    .object({ code: z.enum(WAIT_CAUSE_CODES), host: text.nullable(), httpStatus: z.number().nullable() })
    .optional(),
  isOfProxy: z.literal(true).optional(),
  guard: z.enum(['macos', 'windows']).optional(),
})

const identity = z.object({
  sizeBytes: count,
  etag: text.nullable(),
  lastModified: text.nullable(),
  isWeak: z.boolean().optional(),
  isOpenEnded: z.boolean().optional(),
})

const common = {
  id: text.min(1),
  position: z.number(),
  location,
  key: text,
  status: z.enum(['queued', 'running', 'paused', 'completed', 'failed', 'canceled']),
  error: error.nullable(),
  verification: z.enum(['etag-md5', 'etag-multipart', 'digest', 'crc', 'evidence', 'size-only', 'unproven']).nullable(),
  proofLack: z.enum(PROOF_LACKS).optional(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().nullable(),
  activeMs: z.number(),
  limitBytesPerSecond: z.number().positive().nullable().optional(),
  retryAtMs: z.number().nullable().optional(),
  givenUp: z.enum(['cancel', 'start-over']).nullable().optional(),
  isCanceling: z.boolean().optional(),
  startsOver: z.boolean().optional(),
}

const uploadMembers = z.object({
  ...common,
  direction: z.literal('upload'),
  sourcePath: text.min(1),
  source: z
    .object({ device: decimal, fileId: decimal, sizeBytes: count, modifiedNs: decimal, changedNs: decimal })
    .nullable(),
  plan: z.object({ partSizeBytes: count, partCount: count }).nullable(),
  uploadId: text.nullable(),
  uploadsBefore: z.array(text).nullable().optional(),
  token: text.optional(),
  intent: z
    .object({
      expectedEtag: text.nullable(),
      sizeBytes: count,
      baseline: identity.extend({ sizeBytes: count.nullable() }).nullable(),
      parts: z.array(z.object({ partNumber: count, etag: text })),
      serverTimeMs: z.number(),
      token: text.optional(),
    })
    .nullable(),
  onConflict: z.enum(['replace', 'fail']).optional(),
  isKeyUnseen: z.boolean().optional(),
  isNewUpload: z.boolean().optional(),
  isPartsOnly: z.boolean().optional(),
  folderId: text.optional(),
})

/** Records from before `onConflict` was kept only said whether the key could not be looked at. */
const upload = uploadMembers.transform(({ isKeyUnseen, ...record }) => ({
  ...record,
  onConflict: record.onConflict ?? (isKeyUnseen === true ? ('fail' as const) : ('replace' as const)),
}))

const download = z.object({
  ...common,
  direction: z.literal('download'),
  targetPath: text.min(1),
  onConflict: z.enum([...CONFLICTS, 'fail']).exclude(['skip']),
  root: text.optional(),
  identity: identity.nullable(),
  partialPath: text.nullable(),
  publishing: z
    .object({
      finalPath: text,
      isPlaceholder: z.boolean().optional(),
      placeholder: z.object({ fileId: text, modifiedMs: z.number() }).optional(),
      fileId: text.optional(),
      modifiedMs: z.number().optional(),
    })
    .nullable(),
  isRelinked: z.boolean().optional(),
  borrowedFrom: text.optional(),
  folderId: text.optional(),
})

const itemFailure = z.object({ key: text, error }) satisfies z.ZodType<ItemFailure>
const folderFailures = z.array(itemFailure).optional()

const folderCounts = z
  .object({
    done: count,
    alreadyThere: count.optional(),
    skipped: count.optional(),
    total: count,
    failed: count,
    isCounted: z.boolean(),
    doneBytes: count,
    totalBytes: count,
  })
  .nullable()

const folder = z.object({
  ...common,
  direction: z.literal('folder'),
  targetPath: text.min(1),
  onConflict: z.enum([...CONFLICTS, 'fail']),
  root: text.optional(),
  counts: folderCounts,
  failures: folderFailures,
})

const uploadFolder = z.object({
  ...common,
  direction: z.literal('upload-folder'),
  sourcePaths: z.array(text.min(1)).min(1),
  onConflict: z.enum(CONFLICTS),
  failures: folderFailures,
  planned: z
    .object({
      files: count,
      sizeBytes: count,
      emptyFolders: count,
      skipped: z.object({
        count,
        unreadable: count,
        named: z.array(z.object({ path: text, reason: z.enum(SKIP_REASONS) })),
      }),
    })
    .nullable(),
  counts: folderCounts,
})

/** Rows of many files are kept as short as JSON allows. */
const planPage = z.tuple([count, z.array(z.tuple([text.min(1), count, z.number()]))]).transform(([first, files]) => ({
  first,
  files: files.map(([name, sizeBytes, modifiedMs]) => ({ name, sizeBytes, modifiedMs })),
})) satisfies z.ZodType<PlanPage>

const sentFile = z
  .tuple([count, count, z.number()])
  .transform(([number, sizeBytes, modifiedMs]) => ({ number, sizeBytes, modifiedMs })) satisfies z.ZodType<SentFile>

const folderItem = z.object({
  key: text.min(1),
  path: text.min(1),
  sizeBytes: count,
  etag: text.nullable(),
  modifiedSeconds: z.number().int().nullable(),
}) satisfies z.ZodType<FolderItem>

/** Records from before `givenUp` was kept had a mark for each reason; of both, starting over was decided later. */
const transferRecord = z
  .discriminatedUnion('direction', [upload, download, folder, uploadFolder])
  .transform(({ isCanceling, startsOver, ...record }) => {
    const givenUp = startsOver === true ? 'start-over' : isCanceling === true ? 'cancel' : undefined
    return record.givenUp !== undefined || givenUp === undefined ? record : { ...record, givenUp }
  }) satisfies z.ZodType<TransferRecord>

const partRecord = z.object({
  partNumber: count.min(1),
  sizeBytes: count,
  etag: text,
  md5: z.string().regex(/^[0-9a-f]{32}$/),
}) satisfies z.ZodType<PartRecord>

const rangeRecord = z
  .object({ start: count, end: count, crc32: count.max(0xffff_ffff) })
  .refine((range) => range.start < range.end) satisfies z.ZodType<RangeRecord>

const keptHistory = z.object({
  entries: z.array(z.object({ atMs: z.number(), text, requestId: text.nullable(), times: count.optional() })),
  samples: z.array(z.number().nullable()),
  stepMs: z.number().min(1000),
  movedBytes: z.number(),
  activeMs: z.number(),
  peakBytesPerSecond: z.number(),
  keptAtMs: z.number(),
})

const dueAbort = z.object({
  location,
  key: text,
  uploadId: text,
  isRefused: z.boolean().optional(),
}) satisfies z.ZodType<DueAbort>

/** The parsed value, or why it can't be parsed. */
export type Decoded<T> = { readonly value: T } | { readonly reason: string }

/** Parses what `JSON.stringify` made of a record. */
export function decodeTransfer(json: string): Decoded<TransferRecord> {
  return decodeJson(transferRecord, json)
}

export function decodeAbort(json: string): Decoded<DueAbort> {
  return decodeJson(dueAbort, json)
}

/** Returns the claims that can be read; the bytes of the others are transferred again. */
export function readableParts(rows: readonly unknown[]): PartRecord[] {
  return readable(partRecord, rows)
}

export function readableRanges(rows: readonly unknown[]): RangeRecord[] {
  return readable(rangeRecord, rows)
}

/** Returns the items that can be read; the others are looked at again, and fetched if needed. */
export function readableItems(json: string): FolderItem[] {
  const raw = parseJson(json)
  return 'value' in raw && Array.isArray(raw.value) ? readable(folderItem, raw.value) : []
}

/** Returns null when the history can't be read: a new one is begun. */
export function readableHistory(json: string): KeptHistory | null {
  const decoded = decodeJson(keptHistory, json)
  return 'value' in decoded ? decoded.value : null
}

export function encodePlanPage({ first, files }: PlanPage): string {
  return JSON.stringify([first, files.map(({ name, sizeBytes, modifiedMs }) => [name, sizeBytes, modifiedMs])])
}

/** Returns null when the page can't be read: the files are looked for again. */
export function readablePlanPage(json: string): PlanPage | null {
  const decoded = decodeJson(planPage, json)
  return 'value' in decoded ? decoded.value : null
}

export function encodeSent(files: readonly SentFile[]): string {
  return JSON.stringify(files.map(({ number, sizeBytes, modifiedMs }) => [number, sizeBytes, modifiedMs]))
}

/** Returns the files that can be read; the others are compared with their objects, and sent again if needed. */
export function readableSent(json: string): SentFile[] {
  const raw = parseJson(json)
  return 'value' in raw && Array.isArray(raw.value) ? readable(sentFile, raw.value) : []
}

/** Returns the failures that can be read; of the others only their number is known. */
export function readableFailures(json: string): ItemFailure[] {
  const raw = parseJson(json)
  return 'value' in raw && Array.isArray(raw.value) ? readable(itemFailure, raw.value) : []
}

function readable<T>(schema: z.ZodType<T>, rows: readonly unknown[]): T[] {
  return rows.flatMap((row) => {
    const value = fitting(schema, row)
    return value === undefined ? [] : [value]
  })
}

function decodeJson<T>(schema: z.ZodType<T>, json: string): Decoded<T> {
  const raw = parseJson(json)
  if ('reason' in raw) return raw
  const parsed = parseForeign(schema, raw.value)
  return parsed.success ? { value: parsed.data } : { reason: z.prettifyError(parsed.error) }
}

function parseJson(json: string): Decoded<unknown> {
  try {
    return { value: JSON.parse(json) as unknown }
  } catch (failure) {
    return { reason: String(failure) }
  }
}
