import { beforeEach, describe, inject } from 'vitest'
import type { ServerName } from './server-access.ts'
import { createS3World, type S3World } from './world.ts'

const NO_LISTS = 'it has no ListParts, ListMultipartUploads and AbortMultipartUpload'
const NO_SECRETS = 'it lets everybody in who shows no key'

/** What a server can't do: the names of the tests that need it, and why they are skipped. */
const LACKS: Readonly<Record<ServerName, Readonly<Record<string, string>>>> = {
  Ceph: {},
  s3rver: {
    'keeps odd keys as they are': 'its keys are paths of files, and it escapes some signs twice or not at all',
    'moves objects whatever they are named': 'its keys are paths of files, and it escapes some signs twice',
    'copies on condition that the original is still the same': 'it knows no x-amz-copy-source-if-match',
    'moves a large object in parts, with type, metadata and tags': 'its UploadPartCopy finds no upload',
    'lists open uploads and their parts, which the ETag of the whole follows from': NO_LISTS,
    'pages through 2,501 parts, and aborts them': NO_LISTS,
    'reads on condition that it is still the same': 'it knows no If-Match',
    'puts nothing over what is there, if told so': 'it knows no If-None-Match with PUT',
    'is told what is wrong with a body or a list of parts': 'it checks neither',
    'never mixes an object with the one that took its place': 'it overwrites in place, so that readers see halves',
    'proves an upload of 12582912 bytes by its etag-multipart': 'its ETag of several parts is none of MD5s',
    'proves a file of uneven parts where the service tells them, and says so where it does not':
      'its ETag of several parts is none of MD5s',
    'aborts what it is told to': NO_LISTS,
    "finishes an upload that 'aws' began, with what is missing alone": NO_LISTS,
    "finishes an upload that 'rclone' began, with what is missing alone": NO_LISTS,
    'is told AccessDenied': NO_SECRETS,
    'without a key': NO_SECRETS,
    'with a key that may not list': 'it knows no policies',
    'with the other kind of service': 'its answers carry no header that tells what it is',
  },
}

const NAMES = Object.keys(LACKS) as readonly ServerName[]

/** Runs a suite against each server that there is; what one of them can't do is skipped there, by name. */
export function describeOnServers(title: string, suite: (createWorld: () => Promise<S3World>) => void): void {
  const servers = inject('servers')
  for (const name of NAMES) {
    const access = servers[name]
    describe.skipIf(access === null)(`${title} on ${name}`, () => {
      beforeEach(({ task, skip }) => {
        const reason = LACKS[name][task.name]
        skip(reason !== undefined, reason)
      })
      suite(async () => {
        if (access === null) throw new Error(`There is no ${name}`)
        return createS3World(access)
      })
    })
  }
}
