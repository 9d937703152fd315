import { percentDecoded } from '../../../shared/place/percent-decoded.ts'
import type { Command } from '../arguments.ts'
import { isPathStyleHost } from '../connection.ts'
import { UsageError } from '../usage-error.ts'

type Complete = Extract<Command, { name: 'complete' }>

/**
 * Splits the address of an object (docs/dialect.md, Documented), with or without `?uploadId=`, into service, bucket and
 * key. An operand that isn't an http(s) address is left alone: it is a key or a link to one. Throws UsageError. Pure.
 */
export function takeAddressApart(command: Complete): Complete {
  const { key: operand, options } = command
  const { connection } = options
  if (!/^https?:\/\//i.test(operand)) return command
  const url = URL.canParse(operand) ? new URL(operand) : null
  const [first = '', ...rest] = url?.pathname.slice(1).split('/') ?? []
  if (url === null || first === '') throw new UsageError(`${operand} is not the address of an object.`)
  const pathStyle = connection.pathStyle ?? isPathStyleHost(url.hostname)
  const [label = '', ...labels] = url.host.split('.')
  const [bucket, endpoint, path] = pathStyle
    ? [first, url.origin, rest]
    : [label, `${url.protocol}//${labels.join('.')}`, [first, ...rest]]
  const key = decoded(path.join('/'), operand)
  if (key === '') throw new UsageError(`${operand} is not the address of an object.`)
  const there = { ...connection, endpoint, bucket: decoded(bucket, operand), pathStyle }
  return {
    ...command,
    key,
    uploadId: command.uploadId ?? url.searchParams.get('uploadId'),
    options: { ...options, connection: there },
  }
}

function decoded(text: string, operand: string): string {
  const found = percentDecoded(text)
  if (found === null) throw new UsageError(`${operand} has a wrong percent-encoding.`)
  return found
}
