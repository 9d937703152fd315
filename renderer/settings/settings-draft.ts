import { formatCount } from '../format.ts'
import { MIN_RATE_LIMIT } from '../../shared/limits.ts'
import type { Settings } from '../../shared/settings.ts'

/** The settings as they are typed. */
export interface SettingsDraft {
  readonly activeTransfers: string
  /** Empty: automatic. */
  readonly connectionsPerTransfer: string
  /** MB/s; empty: no limit. */
  readonly limit: string
  readonly uploadLimit: string
  readonly downloadLimit: string
  readonly downloadsFolder: string | null
}

export interface ParsedDraft {
  /** Null while something typed can't be used. */
  readonly settings: Settings | null
  readonly errors: Partial<Record<Exclude<keyof SettingsDraft, 'downloadsFolder'>, string>>
}

const MB = 1_000_000
const MOST_AT_A_TIME = 16
const MOST_LIMIT_BYTES = 1e12

export function draftOf({ activeTransfers, connectionsPerTransfer, ...rest }: Settings): SettingsDraft {
  return {
    activeTransfers: String(activeTransfers),
    connectionsPerTransfer: connectionsPerTransfer === null ? '' : String(connectionsPerTransfer),
    limit: limitText(rest.limitBytesPerSecond),
    uploadLimit: limitText(rest.uploadLimitBytesPerSecond),
    downloadLimit: limitText(rest.downloadLimitBytesPerSecond),
    downloadsFolder: rest.downloadsFolder,
  }
}

/** Reads what was typed; says of each field why it can't be used. Pure. */
export function parseDraft(draft: SettingsDraft): ParsedDraft {
  const activeTransfers = parseCount(draft.activeTransfers)
  const isAutomatic = draft.connectionsPerTransfer.trim() === ''
  const connections = isAutomatic ? null : parseCount(draft.connectionsPerTransfer)
  const connectionsFit = isAutomatic || connections !== null
  const limit = parseLimit(draft.limit)
  const upload = parseLimit(draft.uploadLimit)
  const download = parseLimit(draft.downloadLimit)
  const areLimitsValid = limit.isValid && upload.isValid && download.isValid
  if (activeTransfers !== null && connectionsFit && areLimitsValid) {
    const settings: Settings = {
      activeTransfers,
      connectionsPerTransfer: connections,
      downloadsFolder: draft.downloadsFolder,
      limitBytesPerSecond: limit.bytes,
      uploadLimitBytesPerSecond: upload.bytes,
      downloadLimitBytesPerSecond: download.bytes,
    }
    return { settings, errors: {} }
  }
  const range = `A whole number from 1 to ${formatCount(MOST_AT_A_TIME)}`
  const rate = 'A number such as 0.5 or 20'
  return {
    settings: null,
    errors: {
      ...(activeTransfers === null ? { activeTransfers: range } : {}),
      ...(connectionsFit ? {} : { connectionsPerTransfer: range }),
      ...(limit.isValid ? {} : { limit: rate }),
      ...(upload.isValid ? {} : { uploadLimit: rate }),
      ...(download.isValid ? {} : { downloadLimit: rate }),
    },
  }
}

function parseCount(text: string): number | null {
  const count = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= MOST_AT_A_TIME ? count : null
}

function limitText(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '' : String(bytesPerSecond / MB)
}

function parseLimit(text: string): { readonly isValid: boolean; readonly bytes: number | null } {
  if (text.trim() === '') return { isValid: true, bytes: null }
  const bytes = Math.round(Number(text.trim().replace(',', '.')) * MB)
  return { isValid: bytes >= MIN_RATE_LIMIT && bytes <= MOST_LIMIT_BYTES, bytes }
}
