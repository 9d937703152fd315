import { DEFAULT_ACTIVE_TRANSFERS } from './limits.ts'

/** What a person can set. Everything has a default that works. */
export interface Settings {
  /** Transfers that run at a time, 1 to 16. */
  readonly activeTransfers: number
  /** Connections of one transfer, 1 to 16; null: as many as pay. */
  readonly connectionsPerTransfer: number | null
  /** Bytes a second of all transfers together; null: no limit. At least 1,024. */
  readonly limitBytesPerSecond: number | null
  /** Folder that downloads go to; null: the system's. */
  readonly downloadsFolder: string | null
}

export const DEFAULT_SETTINGS: Settings = {
  activeTransfers: DEFAULT_ACTIVE_TRANSFERS,
  connectionsPerTransfer: null,
  limitBytesPerSecond: null,
  downloadsFolder: null,
}
