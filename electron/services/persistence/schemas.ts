// Schemas of values from outside. Requests of the window and settings files are parsed with the same ones.

import { isAbsolute } from 'node:path'
import { z } from 'zod'
import {
  MAX_AT_A_TIME,
  MAX_CHOSEN_PART_MIB,
  MAX_PLACE_LABEL,
  MIB,
  MIN_CHOSEN_PART_MIB,
  MIN_RATE_LIMIT,
} from '../../../shared/limits.ts'
import { BUCKET_NAME, PLACE_COLORS, PLACE_PRESETS, SIGNED_WORD } from '../../../shared/place/place.ts'
import {
  APPEARANCES,
  CLEARS_DONE,
  LANGUAGE_CHOICES,
  UNIT_CHOICES,
  UPDATE_CHANNELS,
  WHEN_CLOSED,
} from '../../../shared/settings.ts'

/** A host name, or an IP address without brackets. */
export const hostName = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9._:-]*$/)
export const port = z.int().min(1).max(65_535)

/** Text that ends up in a header or a row: one line, no control characters. */
export const line = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u)

export const proxySettings = z.strictObject({
  mode: z.enum(['system', 'none', 'manual']),
  host: hostName,
  port,
  // A colon would end the name (RFC 7617, 2).
  user: line(256).refine((user) => !user.includes(':'), 'a colon in a user name'),
  exempt: line(4096),
})

export const placeId = z.string().regex(/^[a-z0-9-]{1,64}$/)
export const bucketName = z.string().regex(BUCKET_NAME)
const signedWord = z.string().regex(SIGNED_WORD)

const MAX_PATH_LENGTH = 32_767

/** A file system path on this machine. NUL would cut it short in system calls. */
export const absolutePath = z
  .string()
  .min(1)
  .max(MAX_PATH_LENGTH)
  .refine((path) => !path.includes('\0') && isAbsolute(path), 'not an absolute path')

const endpoint = z.string().max(2048).refine(isEndpoint, 'not the address of a service')

export const rateLimit = z.int().min(MIN_RATE_LIMIT).nullable()

const minute = z.int().min(0).max(1439)
const speedSchedule = z.strictObject({
  isOn: z.boolean(),
  fromMinute: minute,
  toMinute: minute,
  weekdays: z.array(z.int().min(0).max(6)).max(7),
})

/** Any subset of the settings; also their stored form. */
export const settingsSchema = z.strictObject({
  activeTransfers: z.int().min(1).max(MAX_AT_A_TIME).exactOptional(),
  connectionsPerTransfer: z.int().min(1).max(MAX_AT_A_TIME).nullable().exactOptional(),
  limitBytesPerSecond: rateLimit.exactOptional(),
  uploadLimitBytesPerSecond: rateLimit.exactOptional(),
  downloadLimitBytesPerSecond: rateLimit.exactOptional(),
  lowSpeedBytesPerSecond: z.int().min(MIN_RATE_LIMIT).exactOptional(),
  lowSpeedSchedule: speedSchedule.exactOptional(),
  partSizeBytes: z
    .int()
    .min(MIN_CHOSEN_PART_MIB * MIB)
    .max(MAX_CHOSEN_PART_MIB * MIB)
    .nullable()
    .exactOptional(),
  downloadsFolder: absolutePath.nullable().exactOptional(),
  whenClosed: z.enum(WHEN_CLOSED).exactOptional(),
  appearance: z.enum(APPEARANCES).exactOptional(),
  language: z.enum(LANGUAGE_CHOICES).exactOptional(),
  units: z.enum(UNIT_CHOICES).exactOptional(),
  notifiesDone: z.boolean().exactOptional(),
  notifiesAttention: z.boolean().exactOptional(),
  startsAdded: z.boolean().exactOptional(),
  clearsDone: z.enum(CLEARS_DONE).exactOptional(),
  showsTray: z.boolean().exactOptional(),
  opensAtLogin: z.boolean().exactOptional(),
  checksForUpdates: z.boolean().nullable().exactOptional(),
  updateChannel: z.enum(UPDATE_CHANNELS).exactOptional(),
})

/** A stored place, without its secrets. */
export const placeSchema = z.strictObject({
  name: line(200).min(1),
  endpoint,
  /** Empty: every bucket that the key may use. */
  bucket: z.union([z.literal(''), bucketName]),
  folder: line(1024).regex(/.\/$/).exactOptional(),
  dialect: z.enum(['storage', 's3']),
  pathStyle: z.boolean(),
  scheme: signedWord,
  signature: z.enum(['hmac-sha1', 'hmac-sha256', 'none']),
  /** Empty: the endpoint or the service determines it. */
  region: z.union([z.literal(''), signedWord]),
  accessKeyId: line(256),
  profile: line(256),
  preset: z.enum(PLACE_PRESETS),
  color: z.enum(PLACE_COLORS),
  label: line(MAX_PLACE_LABEL).min(1).exactOptional(),
  downloadsFolder: absolutePath.exactOptional(),
})

function isEndpoint(text: string): boolean {
  return parseHttp(text)?.origin === text.replace(/\/$/, '')
}

export function parseHttp(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}
