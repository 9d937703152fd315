import { formatCount } from '../words/format.ts'
import type { Settings } from '../../shared/settings.ts'
import { parseRate, RATE_PROBLEM, rateText } from '../words/rate-text.ts'

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

/** Those that are typed and saved; the others count as soon as they are chosen. */
type TypedSettings = Pick<
  Settings,
  | 'activeTransfers'
  | 'connectionsPerTransfer'
  | 'downloadsFolder'
  | 'limitBytesPerSecond'
  | 'uploadLimitBytesPerSecond'
  | 'downloadLimitBytesPerSecond'
>

export interface ParsedDraft {
  /** Null while something typed can't be used. */
  readonly settings: TypedSettings | null
  readonly errors: Partial<Record<Exclude<keyof SettingsDraft, 'downloadsFolder'>, string>>
}

const MOST_AT_A_TIME = 16

export function draftOf({ activeTransfers, connectionsPerTransfer, ...rest }: Settings): SettingsDraft {
  return {
    activeTransfers: String(activeTransfers),
    connectionsPerTransfer: connectionsPerTransfer === null ? '' : String(connectionsPerTransfer),
    limit: rateText(rest.limitBytesPerSecond),
    uploadLimit: rateText(rest.uploadLimitBytesPerSecond),
    downloadLimit: rateText(rest.downloadLimitBytesPerSecond),
    downloadsFolder: rest.downloadsFolder,
  }
}

/** Reads what was typed; says of each field why it can't be used. Pure. */
export function parseDraft(draft: SettingsDraft): ParsedDraft {
  const activeTransfers = parseCount(draft.activeTransfers)
  const isAutomatic = draft.connectionsPerTransfer.trim() === ''
  const connections = isAutomatic ? null : parseCount(draft.connectionsPerTransfer)
  const connectionsFit = isAutomatic || connections !== null
  const limit = parseRate(draft.limit)
  const upload = parseRate(draft.uploadLimit)
  const download = parseRate(draft.downloadLimit)
  const areLimitsValid = limit.isValid && upload.isValid && download.isValid
  if (activeTransfers !== null && connectionsFit && areLimitsValid) {
    const settings: TypedSettings = {
      activeTransfers,
      connectionsPerTransfer: connections,
      downloadsFolder: draft.downloadsFolder,
      limitBytesPerSecond: limit.bytesPerSecond,
      uploadLimitBytesPerSecond: upload.bytesPerSecond,
      downloadLimitBytesPerSecond: download.bytesPerSecond,
    }
    return { settings, errors: {} }
  }
  const range = `A whole number from 1 to ${formatCount(MOST_AT_A_TIME)}`
  return {
    settings: null,
    errors: {
      ...(activeTransfers === null ? { activeTransfers: range } : {}),
      ...(connectionsFit ? {} : { connectionsPerTransfer: range }),
      ...(limit.isValid ? {} : { limit: RATE_PROBLEM }),
      ...(upload.isValid ? {} : { uploadLimit: RATE_PROBLEM }),
      ...(download.isValid ? {} : { downloadLimit: RATE_PROBLEM }),
    },
  }
}

function parseCount(text: string): number | null {
  const count = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= MOST_AT_A_TIME ? count : null
}
